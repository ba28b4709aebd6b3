/**
 * A virtual clock and the event loop that runs by it, for tests of engines in one thread.
 *
 * <p>Nothing here may sleep, open a socket or read the real clock. The simulated network, which
 * knows clients and servers, lives in {@code suites}.
 */
@NullMarked
package dev.gannet.simulation;

import org.jspecify.annotations.NullMarked;
