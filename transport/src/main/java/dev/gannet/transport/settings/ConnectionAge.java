package dev.gannet.transport.settings;

import dev.gannet.http2.Timeouts;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a server keeps a connection (gRFC A9); {@link Timeouts#NEVER} for no limit.
 *
 * @param maxIdleNanos how long it may be without a call
 * @param maxAgeNanos how long it may last
 * @param graceNanos how long calls may continue after that; 0 ends them at once
 */
public record ConnectionAge(long maxIdleNanos, long maxAgeNanos, long graceNanos) {
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final double JITTER = 0.1;

  /** No limits. */
  public static final ConnectionAge UNLIMITED =
      new ConnectionAge(Timeouts.NEVER, Timeouts.NEVER, Timeouts.NEVER);

  /**
   * Sets the maximum time without calls, at least 1 s.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ConnectionAge withMaxIdle(Duration time) {
    return new ConnectionAge(Nanos.of("maxConnectionIdle", time, LEAST), maxAgeNanos, graceNanos);
  }

  /**
   * Sets the maximum age, at least 1 s.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ConnectionAge withMaxAge(Duration time) {
    return new ConnectionAge(maxIdleNanos, Nanos.of("maxConnectionAge", time, LEAST), graceNanos);
  }

  /**
   * Sets the grace period.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ConnectionAge withGrace(Duration time) {
    long nanos = Nanos.ofZeroOrMore("maxConnectionAgeGrace", time);
    return new ConnectionAge(maxIdleNanos, maxAgeNanos, nanos);
  }

  /**
   * The age with a jitter of 10%, so that connections which started together do not all reconnect
   * together.
   */
  public ConnectionAge jittered(RandomGenerator random) {
    if (maxAgeNanos >= Timeouts.FAR_NANOS) {
      return this;
    }
    long age = (long) (maxAgeNanos * random.nextDouble(1 - JITTER, 1 + JITTER));
    return new ConnectionAge(maxIdleNanos, age, graceNanos);
  }
}
