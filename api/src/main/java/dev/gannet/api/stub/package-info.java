/**
 * Calls in plain blocking code, with futures and publishers, and with observers, on top of the
 * event-driven contracts of {@code dev.gannet.api}; what generated clients and services are made
 * of.
 *
 * <p>Threads are parked here, at the edge, and nowhere below. What does not belong here: executors,
 * wires, retry.
 */
@NullMarked
package dev.gannet.api.stub;

import org.jspecify.annotations.NullMarked;
