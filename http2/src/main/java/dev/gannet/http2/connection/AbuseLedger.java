package dev.gannet.http2.connection;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts what is cheap to send and dear to serve. Each offence has a bucket that honest traffic
 * never empties: so many at once, so many a second after that.
 */
final class AbuseLedger {
  /** Something that a peer may do now and then, but not all the time. */
  enum Offence {
    /** Streams that the peer reset, or made us reset (CVE-2023-44487, CVE-2025-8671). */
    RESET_STREAM(200, 33),
    /** Streams over the limit, opened before the peer can know of the limit (CVE-2026-47244). */
    EARLY_STREAM(10_000, 100),
    /** DATA without content that does not end a stream (CVE-2019-9518). */
    EMPTY_DATA(100, 10),
    /** DATA with next to no content, by which nothing became complete (CVE-2019-9518's kin). */
    CRUMBS(1000, 100),
    /** WINDOW_UPDATE that no DATA of ours accounts for (CVE-2019-9511). */
    WINDOW_UPDATE(2000, 200),
    SETTINGS(32, 1),
    PING(200, 10),
    PRIORITY(200, 10);

    private final int burst;
    private final int perSecond;

    Offence(int burst, int perSecond) {
      this.burst = burst;
      this.perSecond = perSecond;
    }
  }

  /** What one offence has used up. */
  private static final class Bucket {
    private long spentNanos;
    private long countedAtNanos;
  }

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Map<Offence, Bucket> buckets = new EnumMap<>(Offence.class);

  /** Takes one back: a call was served to its end, which is what honest peers come for. */
  void payBack(Offence offence) {
    Bucket bucket = buckets.get(offence);
    if (bucket != null) {
      bucket.spentNanos = Math.max(0, bucket.spentNanos - SECOND_NANOS / offence.perSecond);
    }
  }

  /**
   * Forgets them all: what this side sent is reason enough for the peer to ask how long it takes.
   */
  void forgive(Offence offence) {
    Bucket bucket = buckets.get(offence);
    if (bucket != null) {
      bucket.spentNanos = 0;
    }
  }

  /** Counts one; a violation once the bucket is empty. */
  Optional<Violation> charge(Offence offence, long nowNanos) {
    Bucket bucket = buckets.computeIfAbsent(offence, first -> new Bucket());
    long price = SECOND_NANOS / offence.perSecond;
    long elapsed = Math.max(0, nowNanos - bucket.countedAtNanos);
    bucket.spentNanos = Math.max(0, bucket.spentNanos - elapsed) + price;
    bucket.countedAtNanos = nowNanos;
    return bucket.spentNanos <= offence.burst * price
        ? Optional.empty()
        : Optional.of(
            new Violation.OfConnection(ErrorCode.ENHANCE_YOUR_CALM, "too many: " + offence.name()));
  }
}
