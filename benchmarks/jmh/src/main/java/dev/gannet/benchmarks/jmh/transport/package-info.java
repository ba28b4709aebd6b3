/**
 * Clients and servers of two libraries in one process, over loopback, that exchange arrays of
 * bytes.
 */
@NullMarked
package dev.gannet.benchmarks.jmh.transport;

import org.jspecify.annotations.NullMarked;
