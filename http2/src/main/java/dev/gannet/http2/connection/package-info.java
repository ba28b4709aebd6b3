/**
 * One HTTP/2 connection as a state machine: {@code Http2Connection} takes bytes and calls, and
 * gives bytes and events.
 *
 * <p>It is the door. Behind it each part owns its fields, and is given the parts that it uses:
 *
 * <pre>
 *   ReceivedFrames        which frames may come now
 *    ├ ReceivedHeaders    HEADERS, CONTINUATION: blocks, lists, messages
 *    ├ ReceivedData       DATA
 *    ├ ReceivedStreamFrames, ReceivedControl   all other frames
 *    └ StreamErrors       what broken rules and offences cost the peer
 *   ConnectionTimers      what the peer owes, and by when
 *   InboundFlow           windows for what comes
 *   Outbound              what is sent, and the end of the connection
 *   Streams               which streams live, and which may be opened
 * </pre>
 *
 * <p>Each of these uses those below it only, as far as it needs them.
 *
 * <p>Everything here is confined to the one thread that drives the connection. What gRPC means by a
 * stream is not known here.
 */
@NullMarked
package dev.gannet.http2.connection;

import org.jspecify.annotations.NullMarked;
