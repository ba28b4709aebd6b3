/**
 * Calls in blocking code, with futures and publishers, and with observers, on top of the
 * event-driven interfaces of {@code dev.gannet.api}. Generated clients and services use this
 * package.
 *
 * <p>Threads park only here and in no layer below. Does not belong here: executors, network code,
 * retries.
 */
@NullMarked
package dev.gannet.api.stub;

import org.jspecify.annotations.NullMarked;
