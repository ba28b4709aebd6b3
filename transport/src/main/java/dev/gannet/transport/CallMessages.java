package dev.gannet.transport;

import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageSizeLimit;

/**
 * What applies to the messages of a client's call. All calls of a channel that do not ask for
 * something else share one object. Immutable.
 */
public sealed class CallMessages {
  private final MessageEncoding encoding;
  private final int maxInboundBytes;
  private final int maxOutboundBytes;

  /**
   * With limits that the client's options set.
   *
   * @param encoding the encoding of compressed requests
   * @param maxInboundBytes the maximum size of a response message, after decompression
   * @param maxOutboundBytes the maximum size of a request message, before compression
   */
  public CallMessages(MessageEncoding encoding, int maxInboundBytes, int maxOutboundBytes) {
    this.encoding = encoding;
    this.maxInboundBytes = maxInboundBytes;
    this.maxOutboundBytes = maxOutboundBytes;
  }

  /** The encoding of compressed requests. */
  public final MessageEncoding encoding() {
    return encoding;
  }

  /** The maximum size of a response message, after decompression. */
  public final int maxInboundBytes() {
    return maxInboundBytes;
  }

  /** The maximum size of a request message, before compression. */
  public final int maxOutboundBytes() {
    return maxOutboundBytes;
  }

  /** What {@link #maxInboundBytes} is. */
  public MessageSizeLimit inboundLimit() {
    return MessageSizeLimit.OF_RECEIVED_RESPONSES;
  }

  /** What {@link #maxOutboundBytes} is. */
  public MessageSizeLimit outboundLimit() {
    return MessageSizeLimit.OF_SENT_REQUESTS;
  }

  /** The same, limited by a service config: the other maximums are those of the options. */
  public final CallMessages withInboundBytesOfConfig(int maxBytes) {
    return new Configured(
        encoding,
        maxBytes,
        maxOutboundBytes,
        MessageSizeLimit.OF_RESPONSES_BY_CONFIG,
        outboundLimit());
  }

  /** Like {@link #withInboundBytesOfConfig} for requests. */
  public final CallMessages withOutboundBytesOfConfig(int maxBytes) {
    return new Configured(
        encoding,
        maxInboundBytes,
        maxBytes,
        inboundLimit(),
        MessageSizeLimit.OF_REQUESTS_BY_CONFIG);
  }

  /** A subclass, so that other calls have no fields for this. */
  private static final class Configured extends CallMessages {
    private final MessageSizeLimit inboundLimit;
    private final MessageSizeLimit outboundLimit;

    Configured(
        MessageEncoding encoding,
        int maxInboundBytes,
        int maxOutboundBytes,
        MessageSizeLimit inboundLimit,
        MessageSizeLimit outboundLimit) {
      super(encoding, maxInboundBytes, maxOutboundBytes);
      this.inboundLimit = inboundLimit;
      this.outboundLimit = outboundLimit;
    }

    @Override
    public MessageSizeLimit inboundLimit() {
      return inboundLimit;
    }

    @Override
    public MessageSizeLimit outboundLimit() {
      return outboundLimit;
    }
  }
}
