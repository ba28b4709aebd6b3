package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;

/**
 * The parts of a connection that the {@link IncomingMessages} of its calls work with.
 *
 * @param mailbox where readers report what they took
 * @param http2 gives windows back
 * @param held what all calls hold of the data that arrived
 * @param memory what the connection takes from the memory budget
 * @param calls what handlers hold
 * @param work pays for compressed messages
 * @param parsing which messages are parsed on the loop
 * @param readings how other messages are read
 */
record ReceivingParts(
    LoopMailbox mailbox,
    Http2Connection http2,
    ReceiveAccounting held,
    ConnectionMemory memory,
    CallMemory calls,
    WorkShare work,
    LoopParsing parsing,
    MessageReadings readings) {}
