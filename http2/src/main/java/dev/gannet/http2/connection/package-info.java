/**
 * One HTTP/2 connection as a state machine: {@code Http2Connection} takes bytes and calls, and
 * produces bytes and events.
 *
 * <p>It is the entry point. Behind it, each part owns its fields and is given the parts that it
 * uses:
 *
 * <pre>
 *   ReceivedFrames        which frames may come now
 *    ├ ReceivedHeaders    HEADERS, CONTINUATION: blocks, lists, messages
 *    ├ ReceivedData       DATA
 *    ├ ReceivedStreamFrames, ReceivedControl   all other frames
 *    └ StreamErrors       what broken rules and offences cost the peer
 *   InboundFlow           receive windows
 *   ConnectionTimers      what the peer must do, and by when
 *   Outbound              what is sent, and the end of the connection
 *   Streams               which streams are open, and which may be opened
 * </pre>
 *
 * <p>Each of these uses only those below it.
 *
 * <p>Everything here is confined to the one thread that drives the connection. Nothing here depends
 * on gRPC.
 */
@NullMarked
package dev.gannet.http2.connection;

import org.jspecify.annotations.NullMarked;
