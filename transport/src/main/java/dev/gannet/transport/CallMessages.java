package dev.gannet.transport;

import dev.gannet.protocol.MessageEncoding;

/**
 * What applies to the messages of a client's call. All calls of a channel that do not ask for
 * something else share one object.
 *
 * @param encoding the encoding of compressed requests
 * @param maxInboundBytes the maximum size of a response message, after decompression
 * @param maxOutboundBytes the maximum size of a request message, before compression
 */
public record CallMessages(MessageEncoding encoding, int maxInboundBytes, int maxOutboundBytes) {}
