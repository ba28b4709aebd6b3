/**
 * A virtual clock and an event loop that runs by it, for single-threaded tests of engines.
 *
 * <p>Nothing here may sleep, open a socket or read the real clock. The simulated network, which
 * depends on client and server, is in {@code suites}.
 */
@NullMarked
package dev.gannet.simulation;

import org.jspecify.annotations.NullMarked;
