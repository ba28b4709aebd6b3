package dev.gannet.http2;

import dev.gannet.http2.Offence.Rate;

/**
 * What a peer may still do of one offence on one connection: so many at once, and so many a minute
 * come back. Honest traffic never empties it. Confined to the connection's loop.
 */
public final class OffenceBucket {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** The most that a bucket holds, whatever its rate: 146 years. */
  private static final long FAR_NANOS = Timeouts.FAR_NANOS;

  private final long priceNanos;
  private final long mostNanos;

  /** What is used up, as the time in which it comes back; below zero on credit. */
  private long spentNanos;

  private long countedAtNanos;

  /** A full one, from any time on. */
  public OffenceBucket(Rate rate) {
    this(rate, 0);
  }

  /**
   * A full one.
   *
   * @param nowNanos the time, of any steady origin
   */
  public OffenceBucket(Rate rate, long nowNanos) {
    priceNanos = MINUTE_NANOS / rate.aMinute();
    mostNanos = Math.min(rate.atOnce(), FAR_NANOS / priceNanos) * priceNanos;
    countedAtNanos = nowNanos;
  }

  /** Takes one out; false once the bucket is empty. */
  public boolean charge(long nowNanos) {
    return charge(1, nowNanos, 0);
  }

  /**
   * Takes that many out; false once the bucket is empty.
   *
   * @param count 1 or more
   * @param nowNanos of any steady origin
   */
  public boolean charge(int count, long nowNanos) {
    return charge(count, nowNanos, 0);
  }

  /**
   * Takes that many out; false once the bucket is empty.
   *
   * @param count 1 or more
   * @param nowNanos of any steady origin
   * @param slackNanos for how long what is counted now may have waited to be read: so much of what
   *     came back meanwhile is kept beyond a full bucket
   */
  public boolean charge(int count, long nowNanos, long slackNanos) {
    long refilled = spentNanos - Math.max(0, nowNanos - countedAtNanos);
    spentNanos = Math.max(-slackNanos, refilled) + count * priceNanos;
    countedAtNanos = nowNanos;
    return spentNanos <= mostNanos;
  }

  /**
   * Puts that many back, up to a full bucket: the peer did what honest peers come for.
   *
   * @param count 1 or more
   */
  public void payBack(int count) {
    spentNanos = Math.max(Math.min(0, spentNanos), spentNanos - count * priceNanos);
  }

  /** Fills it up. */
  public void forgive() {
    spentNanos = Math.min(0, spentNanos);
  }
}
