package dev.gannet.transport;

import dev.gannet.http2.Timeouts;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a server keeps a connection (gRFC A9); {@link Timeouts#NEVER} where it does not mind.
 *
 * @param maxIdleNanos how long it may be without a call
 * @param maxAgeNanos how long it may last
 * @param graceNanos how long calls may go on after that; 0 ends them at once
 */
public record ConnectionAge(long maxIdleNanos, long maxAgeNanos, long graceNanos) {
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final double JITTER = 0.1;

  /** Connections may grow as old as they like. */
  public static final ConnectionAge UNLIMITED =
      new ConnectionAge(Timeouts.NEVER, Timeouts.NEVER, Timeouts.NEVER);

  /**
   * The same with another time without calls, 1 s at least.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ConnectionAge withMaxIdle(Duration time) {
    return new ConnectionAge(Nanos.of("maxConnectionIdle", time, LEAST), maxAgeNanos, graceNanos);
  }

  /**
   * The same with another age, 1 s at least.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ConnectionAge withMaxAge(Duration time) {
    return new ConnectionAge(maxIdleNanos, Nanos.of("maxConnectionAge", time, LEAST), graceNanos);
  }

  /**
   * The same with another grace.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ConnectionAge withGrace(Duration time) {
    long nanos = Nanos.ofZeroOrMore("maxConnectionAgeGrace", time);
    return new ConnectionAge(maxIdleNanos, maxAgeNanos, nanos);
  }

  /**
   * The age up to a tenth longer or shorter by chance, so that connections which began together do
   * not all come back together.
   */
  public ConnectionAge jittered(RandomGenerator random) {
    if (maxAgeNanos >= Timeouts.FAR_NANOS) {
      return this;
    }
    long age = (long) (maxAgeNanos * random.nextDouble(1 - JITTER, 1 + JITTER));
    return new ConnectionAge(maxIdleNanos, age, graceNanos);
  }
}
