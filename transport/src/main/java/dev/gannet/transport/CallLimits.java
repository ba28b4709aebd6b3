package dev.gannet.transport;

import java.util.OptionalLong;

/**
 * What calls of one method may send, and how long they may last.
 *
 * @param maxInboundMessageBytes the longest request message taken, after decompression
 * @param maxOutboundMessageBytes the longest response message sent, before compression
 * @param maxCallNanos how long a call may last, whatever its client says
 * @param defaultCallNanos how long a call may last whose client says nothing
 */
public record CallLimits(
    int maxInboundMessageBytes,
    int maxOutboundMessageBytes,
    long maxCallNanos,
    long defaultCallNanos) {
  /** Says of a duration that calls may last as long as they like. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  /** Says of outbound messages that they may have any length. */
  public static final int ANY_LENGTH = Integer.MAX_VALUE;

  private static final int DEFAULT_INBOUND_BYTES = 4 << 20; // as all implementations of gRPC

  /** The default limits. */
  public static final CallLimits DEFAULT =
      new CallLimits(DEFAULT_INBOUND_BYTES, ANY_LENGTH, NO_LIMIT, NO_LIMIT);

  /** The same with another {@link #maxInboundMessageBytes}. */
  public CallLimits withMaxInboundMessageBytes(int bytes) {
    return new CallLimits(bytes, maxOutboundMessageBytes, maxCallNanos, defaultCallNanos);
  }

  /** The same with another {@link #maxOutboundMessageBytes}. */
  public CallLimits withMaxOutboundMessageBytes(int bytes) {
    return new CallLimits(maxInboundMessageBytes, bytes, maxCallNanos, defaultCallNanos);
  }

  /** The same with another {@link #maxCallNanos}. */
  public CallLimits withMaxCallNanos(long nanos) {
    return new CallLimits(maxInboundMessageBytes, maxOutboundMessageBytes, nanos, defaultCallNanos);
  }

  /** The same with another {@link #defaultCallNanos}. */
  public CallLimits withDefaultCallNanos(long nanos) {
    return new CallLimits(maxInboundMessageBytes, maxOutboundMessageBytes, maxCallNanos, nanos);
  }

  /**
   * How long a call may last, or {@link #NO_LIMIT}.
   *
   * @param timeoutNanos what its client says
   */
  public long callNanos(OptionalLong timeoutNanos) {
    return Math.min(timeoutNanos.orElse(defaultCallNanos), maxCallNanos);
  }

  /** Whether it is this server that gives such a call no more time, not its client. */
  public boolean endsSooner(OptionalLong timeoutNanos) {
    return timeoutNanos.orElse(NO_LIMIT) > callNanos(timeoutNanos);
  }

  /** The words for a call whose time is over where this {@link #endsSooner}. */
  public String exceeded(OptionalLong timeoutNanos) {
    boolean byDefault = timeoutNanos.isEmpty() && defaultCallNanos < maxCallNanos;
    return byDefault
        ? "the server's defaultCallDuration is exceeded, and the client has set no deadline"
        : "the server's maxCallDuration is exceeded";
  }
}
