package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.ConnectionInfo;

/**
 * The parts of a connection that its calls work with, on either side.
 *
 * @param info the addresses of the connection
 * @param http2 the frames
 * @param mailbox how other threads reach the loop
 * @param pass what the loop is doing
 * @param deadlines the timers of the loop
 * @param touched the calls that are woken at the end of the batch
 * @param memory what the connection takes from the memory budget
 * @param calls what the calls themselves take
 * @param sendQuota what all calls may queue for sending
 * @param receiving what is needed for receiving messages
 */
record ConnectionParts(
    ConnectionInfo info,
    Http2Connection http2,
    LoopMailbox mailbox,
    LoopPass pass,
    DeadlineHeap deadlines,
    TouchedCalls touched,
    ConnectionMemory memory,
    CallMemory calls,
    SendQuota sendQuota,
    ReceivingParts receiving) {}
