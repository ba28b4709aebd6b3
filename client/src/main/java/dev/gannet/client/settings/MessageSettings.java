package dev.gannet.client.settings;

import dev.gannet.protocol.MessageEncodings;

/**
 * The settings of a channel for the messages of its calls.
 *
 * @param maxInboundBytes the maximum size of a response message, after decompression
 * @param maxOutboundBytes the maximum size of a request message, before compression
 * @param encodings the encodings for messages
 */
public record MessageSettings(
    int maxInboundBytes, int maxOutboundBytes, MessageEncodings encodings) {}
