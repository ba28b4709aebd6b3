package dev.gannet.transport.settings;

import dev.gannet.http2.Timeouts;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Converts users' durations to the nanoseconds of the engines. */
final class Nanos {
  private Nanos() {}

  /**
   * The duration, raised to the minimum if it is shorter; 146 years or more become {@link
   * Timeouts#NEVER}.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  static long of(String name, Duration duration, Duration least) {
    if (!Objects.requireNonNull(duration, name).isPositive()) {
      throw new IllegalArgumentException(name + " must be positive: " + duration);
    }
    return atLeast(duration, least);
  }

  /**
   * The duration, raised to the minimum if it is shorter; but zero stays zero.
   *
   * @throws IllegalArgumentException if it is negative
   */
  static long ofZeroOrMore(String name, Duration duration) {
    if (Objects.requireNonNull(duration, name).isNegative()) {
      throw new IllegalArgumentException(name + " cannot be negative: " + duration);
    }
    return atLeast(duration, Duration.ZERO);
  }

  private static long atLeast(Duration duration, Duration least) {
    Duration longer = duration.compareTo(least) < 0 ? least : duration;
    long nanos = TimeUnit.NANOSECONDS.convert(longer);
    return nanos >= Timeouts.FAR_NANOS ? Timeouts.NEVER : nanos;
  }
}
