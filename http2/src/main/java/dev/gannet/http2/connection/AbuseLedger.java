package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseBucket;
import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Violation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts offences. Each offence has a token bucket that honest traffic never empties. */
final class AbuseLedger {
  private final Limits limits;
  private final PauseCredit pauses;
  private final Map<AbuseKind, AbuseBucket> buckets = new EnumMap<>(AbuseKind.class);

  AbuseLedger(Limits limits, PauseCredit pauses) {
    this.limits = limits;
    this.pauses = pauses;
  }

  /** Puts one token back: the peer did something useful. */
  void payBack(AbuseKind offence) {
    AbuseBucket bucket = opened(offence);
    if (bucket != null) {
      bucket.payBack(1);
    }
  }

  /**
   * Forgets all counted offences of that kind, such as PINGs after this side has sent something.
   */
  void forgive(AbuseKind offence) {
    AbuseBucket bucket = opened(offence);
    if (bucket != null) {
      bucket.forgive();
    }
  }

  /** Null if there was no such offence. Several times in each call, mostly without any offence. */
  private @Nullable AbuseBucket opened(AbuseKind offence) {
    return buckets.isEmpty() ? null : buckets.get(offence);
  }

  /** Counts one offence; returns a violation once the bucket is empty. */
  Optional<Violation> charge(AbuseKind offence, long nowNanos) {
    long slackNanos = pauses.slackNanos(nowNanos);
    AbuseBucket bucket = buckets.get(offence);
    if (bucket == null) {
      bucket = new AbuseBucket(limits.rate(offence), nowNanos - slackNanos);
      buckets.put(offence, bucket);
    }
    return bucket.charge(1, nowNanos, slackNanos)
        ? Optional.empty()
        : Optional.of(new Violation.OverRate(offence, limits.rate(offence)));
  }
}
