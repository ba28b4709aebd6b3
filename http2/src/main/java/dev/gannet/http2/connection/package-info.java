/**
 * One HTTP/2 connection as a state machine: {@code Http2Connection} takes bytes and calls, and
 * gives bytes and events.
 *
 * <p>Everything here is confined to the one thread that drives the connection. What gRPC means by a
 * stream is not known here.
 */
@NullMarked
package dev.gannet.http2.connection;

import org.jspecify.annotations.NullMarked;
