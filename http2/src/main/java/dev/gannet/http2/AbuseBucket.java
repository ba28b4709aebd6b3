package dev.gannet.http2;

import dev.gannet.http2.AbuseKind.Rate;

/**
 * A token bucket for one offence on one connection: it holds a number of tokens, and is refilled at
 * a rate per minute. Honest traffic never empties it. Confined to the connection's loop.
 */
public final class AbuseBucket {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** The most time that a bucket counts, whatever its rate: 146 years. */
  private static final long FAR_NANOS = Timeouts.FAR_NANOS;

  private final long priceNanos;
  private final long mostNanos;

  /** What is used up, as the time that it takes to come back; negative for credit. */
  private long spentNanos;

  private long countedAtNanos;

  /** A full bucket. */
  public AbuseBucket(Rate rate) {
    this(rate, 0);
  }

  /**
   * A full bucket.
   *
   * @param nowNanos the time, from any fixed origin
   */
  public AbuseBucket(Rate rate, long nowNanos) {
    priceNanos = MINUTE_NANOS / rate.aMinute();
    mostNanos = Math.min(rate.atOnce(), FAR_NANOS / priceNanos) * priceNanos;
    countedAtNanos = nowNanos;
  }

  /** Takes one token; false once the bucket is empty. */
  public boolean charge(long nowNanos) {
    return charge(1, nowNanos, 0);
  }

  /**
   * Takes this many tokens; false once the bucket is empty.
   *
   * @param count 1 or more
   * @param nowNanos the time, from any fixed origin
   */
  public boolean charge(int count, long nowNanos) {
    return charge(count, nowNanos, 0);
  }

  /**
   * Takes this many tokens; false once the bucket is empty.
   *
   * @param count 1 or more
   * @param nowNanos the time, from any fixed origin
   * @param slackNanos how long what is counted now may have waited to be read: tokens that came
   *     back in that time are kept even if the bucket is full
   */
  public boolean charge(int count, long nowNanos, long slackNanos) {
    long refilled = spentNanos - Math.max(0, nowNanos - countedAtNanos);
    spentNanos = Math.max(-slackNanos, refilled) + count * priceNanos;
    countedAtNanos = nowNanos;
    return spentNanos <= mostNanos;
  }

  /**
   * Puts this many tokens back, up to a full bucket: the peer did something useful.
   *
   * @param count 1 or more
   */
  public void payBack(int count) {
    spentNanos = Math.max(Math.min(0, spentNanos), spentNanos - count * priceNanos);
  }

  /** Fills the bucket. */
  public void forgive() {
    spentNanos = Math.min(0, spentNanos);
  }
}
