package dev.gannet.transport.settings;

import java.util.OptionalLong;

/**
 * What calls of one method may send, and how long they may last.
 *
 * @param maxInboundMessageBytes the longest request message taken, after decompression
 * @param maxOutboundMessageBytes the longest response message sent, before compression
 * @param maxCallNanos the maximum duration of a call, independent of the client's timeout
 * @param defaultCallNanos the maximum duration of a call whose client sends no timeout
 */
public record CallLimits(
    int maxInboundMessageBytes,
    int maxOutboundMessageBytes,
    long maxCallNanos,
    long defaultCallNanos) {
  /** The value of a duration without a limit. */
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
   * @param timeoutNanos the timeout that the client sent, if any
   */
  public long callNanos(OptionalLong timeoutNanos) {
    return Math.min(timeoutNanos.orElse(defaultCallNanos), maxCallNanos);
  }

  /** Whether the limits of this server end such a call before the client's timeout does. */
  public boolean endsSooner(OptionalLong timeoutNanos) {
    return timeoutNanos.orElse(NO_LIMIT) > callNanos(timeoutNanos);
  }

  /** The description of the status with which such a call ends if {@link #endsSooner} is true. */
  public String exceeded(OptionalLong timeoutNanos) {
    boolean byDefault = timeoutNanos.isEmpty() && defaultCallNanos < maxCallNanos;
    return byDefault
        ? "the server's defaultCallDuration is exceeded, and the client has set no deadline"
        : "the server's maxCallDuration is exceeded";
  }
}
