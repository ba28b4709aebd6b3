package dev.gannet.api.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The time before something is tried again (gRPC's connection-backoff): 1 s, multiplied by 1.6
 * after each failure, at most 120 s, with 20% of jitter.
 */
public final class Backoff {
  private static final double INITIAL_NANOS = Duration.ofSeconds(1).toNanos();
  private static final double MAX_NANOS = Duration.ofMinutes(2).toNanos();
  private static final double MULTIPLIER = 1.6;
  private static final double JITTER = 0.2;

  private double nextNanos = INITIAL_NANOS;

  /** The delay after one more failure. */
  public long nextDelayNanos(RandomGenerator random) {
    long delayNanos = delayNanos(random);
    onFailure();
    return delayNanos;
  }

  /** The delay if the next try fails. */
  public long delayNanos(RandomGenerator random) {
    return (long) (nextNanos * random.nextDouble(1 - JITTER, 1 + JITTER));
  }

  /** One more failure: the next delay is longer. */
  public void onFailure() {
    nextNanos = Math.min(nextNanos * MULTIPLIER, MAX_NANOS);
  }

  /** It has succeeded: the backoff starts from the beginning. */
  public void reset() {
    nextNanos = INITIAL_NANOS;
  }
}
