package dev.gannet.transport.settings;

import dev.gannet.api.Deadline;
import dev.gannet.transport.settings.ServerDeadline.Setter;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * What calls of one method may send, and how long they may last.
 *
 * @param maxInboundMessageBytes the longest request message taken, after decompression
 * @param maxOutboundMessageBytes the longest response message sent, before compression
 * @param maxCallNanos the maximum duration of a call, independent of the client's timeout
 * @param defaultCallNanos the maximum duration of a call whose client sends no timeout
 */
public record CallBounds(
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
  public static final CallBounds DEFAULT =
      new CallBounds(DEFAULT_INBOUND_BYTES, ANY_LENGTH, NO_LIMIT, NO_LIMIT);

  /** The same with another {@link #maxInboundMessageBytes}. */
  public CallBounds withMaxInboundMessageBytes(int bytes) {
    return new CallBounds(bytes, maxOutboundMessageBytes, maxCallNanos, defaultCallNanos);
  }

  /** The same with another {@link #maxOutboundMessageBytes}. */
  public CallBounds withMaxOutboundMessageBytes(int bytes) {
    return new CallBounds(maxInboundMessageBytes, bytes, maxCallNanos, defaultCallNanos);
  }

  /** The same with another {@link #maxCallNanos}. */
  public CallBounds withMaxCallNanos(long nanos) {
    return new CallBounds(maxInboundMessageBytes, maxOutboundMessageBytes, nanos, defaultCallNanos);
  }

  /** The same with another {@link #defaultCallNanos}. */
  public CallBounds withDefaultCallNanos(long nanos) {
    return new CallBounds(maxInboundMessageBytes, maxOutboundMessageBytes, maxCallNanos, nanos);
  }

  /**
   * Until when a server serves a call that begins now.
   *
   * @param timeoutNanos the time that is left until the client's deadline, if it has set one
   * @param clock in nanoseconds
   */
  public ServerDeadline deadline(OptionalLong timeoutNanos, LongSupplier clock) {
    long clientsNanos = timeoutNanos.orElse(NO_LIMIT);
    long serversNanos =
        timeoutNanos.isPresent() ? maxCallNanos : Math.min(defaultCallNanos, maxCallNanos);
    long nanos = Math.min(clientsNanos, serversNanos);
    if (nanos == NO_LIMIT) {
      return ServerDeadline.NONE;
    }
    Deadline deadline = Deadline.after(Duration.ofNanos(nanos), clock);
    if (clientsNanos <= serversNanos) {
      return ServerDeadline.of(deadline, Setter.CLIENT);
    }
    return ServerDeadline.of(
        deadline,
        serversNanos == maxCallNanos ? Setter.MAX_CALL_DURATION : Setter.DEFAULT_CALL_DURATION);
  }
}
