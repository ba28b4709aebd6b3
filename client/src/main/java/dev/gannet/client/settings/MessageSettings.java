package dev.gannet.client.settings;

import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.CallMessages;

/**
 * The settings of a channel for the messages of its calls.
 *
 * @param usual what applies to calls whose options say nothing else
 * @param encodings the encodings for messages
 */
public record MessageSettings(CallMessages usual, MessageEncodings encodings) {
  /**
   * Settings without compression.
   *
   * @param maxInboundBytes the maximum size of a response message, after decompression
   * @param maxOutboundBytes the maximum size of a request message, before compression
   */
  public MessageSettings(int maxInboundBytes, int maxOutboundBytes, MessageEncodings encodings) {
    this(new CallMessages(MessageEncoding.IDENTITY, maxInboundBytes, maxOutboundBytes), encodings);
  }
}
