package dev.gannet.server;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Limits of the calls of one method, or of all methods of a service, that replace those of the
 * server: {@link ServerBuilder#methodLimits}. Immutable.
 *
 * @param maxInboundMessageBytes the maximum size of a request message, in bytes after decompression
 * @param maxCallDuration the maximum duration of a call, independent of the client's deadline
 */
public record MethodLimits(OptionalInt maxInboundMessageBytes, Optional<Duration> maxCallDuration) {
  /** The server's limits apply. */
  public static final MethodLimits OF_SERVER =
      new MethodLimits(OptionalInt.empty(), Optional.empty());

  /**
   * Limits of a method.
   *
   * @throws IllegalArgumentException if the bytes are negative, or the duration is not positive
   */
  public MethodLimits {
    maxInboundMessageBytes.ifPresent(MethodLimits::checkBytes);
    maxCallDuration.ifPresent(MethodLimits::checkDuration);
  }

  /**
   * Replaces {@link ServerBuilder#maxInboundMessageBytes}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public MethodLimits withMaxInboundMessageBytes(int bytes) {
    return new MethodLimits(OptionalInt.of(bytes), maxCallDuration);
  }

  /**
   * Replaces {@link ServerBuilder#maxCallDuration}; {@code ChronoUnit.FOREVER.getDuration()} means
   * no limit.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public MethodLimits withMaxCallDuration(Duration duration) {
    return new MethodLimits(maxInboundMessageBytes, Optional.of(duration));
  }

  /** These limits; missing ones are taken from the service. */
  MethodLimits orElse(MethodLimits ofService) {
    return new MethodLimits(
        maxInboundMessageBytes.isPresent()
            ? maxInboundMessageBytes
            : ofService.maxInboundMessageBytes,
        maxCallDuration.or(() -> ofService.maxCallDuration));
  }

  static void checkBytes(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("maxInboundMessageBytes cannot be negative: " + bytes);
    }
  }

  static void checkDuration(Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("maxCallDuration must be positive: " + duration);
    }
  }
}
