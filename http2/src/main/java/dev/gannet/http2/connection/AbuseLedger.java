package dev.gannet.http2.connection;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Offence;
import dev.gannet.http2.Offence.Rate;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.Violation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts offences. Each has a bucket that honest traffic never empties: so many at once, and so
 * many a minute come back.
 */
final class AbuseLedger {
  /** What one offence has used up, as the time in which it comes back; below zero on credit. */
  private static final class Bucket {
    private final long priceNanos;
    private final long mostNanos;
    private long spentNanos;
    private long countedAtNanos;

    Bucket(Rate rate, long nowNanos) {
      priceNanos = MINUTE_NANOS / rate.aMinute();
      mostNanos = Math.min(rate.atOnce(), FAR_NANOS / priceNanos) * priceNanos;
      countedAtNanos = nowNanos;
    }

    private void takeOff(long nanos, long leastNanos) {
      spentNanos = Math.max(Math.min(leastNanos, spentNanos), spentNanos - nanos);
    }
  }

  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** The most that a bucket holds, whatever its rate: 146 years. */
  private static final long FAR_NANOS = Timeouts.FAR_NANOS;

  private final Limits limits;
  private final PauseCredit pauses;
  private final Map<Offence, Bucket> buckets = new EnumMap<>(Offence.class);

  AbuseLedger(Limits limits, PauseCredit pauses) {
    this.limits = limits;
    this.pauses = pauses;
  }

  /** Takes one back: the peer did what honest peers come for. */
  void payBack(Offence offence) {
    Bucket bucket = buckets.get(offence);
    if (bucket != null) {
      bucket.takeOff(bucket.priceNanos, 0);
    }
  }

  /**
   * Forgets them all: what this side sent is reason enough for the peer to ask how long it takes.
   */
  void forgive(Offence offence) {
    Bucket bucket = buckets.get(offence);
    if (bucket != null) {
      bucket.spentNanos = Math.min(0, bucket.spentNanos);
    }
  }

  /** Counts one; a violation once the bucket is empty. */
  Optional<Violation> charge(Offence offence, long nowNanos) {
    long slackNanos = pauses.slackNanos(nowNanos);
    Bucket bucket = buckets.get(offence);
    if (bucket == null) {
      Rate rate = limits.abuse().rate(offence, limits.maxConcurrentStreams());
      bucket = new Bucket(rate, nowNanos - slackNanos);
      buckets.put(offence, bucket);
    }
    long refilled = bucket.spentNanos - Math.max(0, nowNanos - bucket.countedAtNanos);
    bucket.spentNanos = Math.max(-slackNanos, refilled) + bucket.priceNanos;
    bucket.countedAtNanos = nowNanos;
    return bucket.spentNanos <= bucket.mostNanos
        ? Optional.empty()
        : Optional.of(
            new Violation.OfConnection(ErrorCode.ENHANCE_YOUR_CALM, "too many: " + offence.name()));
  }
}
