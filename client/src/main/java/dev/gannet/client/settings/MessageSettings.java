package dev.gannet.client.settings;

import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.CallMessages;
import java.util.OptionalInt;

/**
 * The settings of a channel for the messages of its calls.
 *
 * @param usual what applies to calls whose options say nothing else
 * @param encodings the encodings for messages
 * @param inboundLimitIsDefault whether nobody has set the maximum size of a response message: then
 *     a service config may set a higher one
 */
public record MessageSettings(
    CallMessages usual, MessageEncodings encodings, boolean inboundLimitIsDefault) {
  /** The maximum size of a response message if nobody has set it: 4 MiB. */
  private static final int DEFAULT_MAX_INBOUND_BYTES = 4 << 20;

  /**
   * Settings without compression.
   *
   * @param maxInboundBytes the maximum size of a response message, after decompression; the default
   *     if empty
   * @param maxOutboundBytes the maximum size of a request message, before compression
   */
  public MessageSettings(
      OptionalInt maxInboundBytes, int maxOutboundBytes, MessageEncodings encodings) {
    this(
        new CallMessages(
            MessageEncoding.IDENTITY,
            maxInboundBytes.orElse(DEFAULT_MAX_INBOUND_BYTES),
            maxOutboundBytes),
        encodings,
        maxInboundBytes.isEmpty());
  }
}
