package dev.gannet.protocol;

import dev.gannet.api.Status;

/** The limits on the size of a message, and the statuses of calls that exceed them. */
public enum MessageSizeLimit {
  /** What a client sends. */
  OF_SENT_REQUESTS(
      "request", "client's maxOutboundMessageBytes", "ManagedChannelBuilder or CallOptions"),
  /** What a client sends, if its service config allows less than its options. */
  OF_REQUESTS_BY_CONFIG("request", "service config's maxRequestMessageBytes", "the service config"),
  /** What a server receives. */
  OF_RECEIVED_REQUESTS("request", "server's maxInboundMessageBytes", "ServerBuilder"),
  /** What a server sends. */
  OF_SENT_RESPONSES("response", "server's maxOutboundMessageBytes", "ServerBuilder"),
  /** What a client receives. */
  OF_RECEIVED_RESPONSES(
      "response", "client's maxInboundMessageBytes", "ManagedChannelBuilder or CallOptions"),
  /** What a client receives, if its service config sets the limit and not its options. */
  OF_RESPONSES_BY_CONFIG(
      "response", "service config's maxResponseMessageBytes", "the service config");

  private final String message;
  private final String option;
  private final String setBy;

  MessageSizeLimit(String message, String option, String setBy) {
    this.message = message;
    this.option = option;
    this.setBy = setBy;
  }

  /**
   * The status of a call with a message that is too long.
   *
   * @param messageBytes the size of the message
   * @param limitBytes the limit
   */
  public Status exceededBy(long messageBytes, int limitBytes) {
    return exceeded(message + " message of " + messageBytes + " bytes exceeds", limitBytes);
  }

  /** The same for a message of unknown length, of which no more than the limit was taken. */
  Status exceededByContent(int limitBytes) {
    return exceeded(message + " message exceeds", limitBytes);
  }

  /** The same for a message that was not decompressed further than to the limit. */
  Status exceededByDecompressed(int limitBytes) {
    return exceeded("decompressed " + message + " message exceeds", limitBytes);
  }

  /**
   * The same for a message that is within the limit, but too many times as long as its compressed
   * form.
   *
   * @param maxBytes how long the message was allowed to be because of the ratio
   */
  Status ratioExceeded(int maxBytes, int maxRatio) {
    String side = option.startsWith("server's") ? "server's" : "client's";
    return Status.RESOURCE_EXHAUSTED.withDescription(
        "decompressed "
            + message
            + " message exceeds "
            + maxBytes
            + " bytes, its compressed size multiplied by the "
            + side
            + " maxDecompressionRatio ("
            + maxRatio
            + "), which TransportLimits sets");
  }

  private Status exceeded(String what, int limitBytes) {
    return Status.RESOURCE_EXHAUSTED.withDescription(
        what + " the " + option + " (" + limitBytes + "); raise it in " + setBy);
  }
}
