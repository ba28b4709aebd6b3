/**
 * A simulated network with seeds, on which whole clients and servers run in one thread, and storms
 * of random calls on it.
 *
 * <p>Nothing here may sleep, open a socket or read the real clock. Only tests of other modules, and
 * programs, may use this module.
 */
@NullMarked
package dev.gannet.suites;

import org.jspecify.annotations.NullMarked;
