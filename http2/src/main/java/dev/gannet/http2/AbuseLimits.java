package dev.gannet.http2;

import dev.gannet.http2.AbuseKind.Rate;
import java.util.EnumMap;
import java.util.Map;

/**
 * How often a peer may do, on one connection, what is cheap to send and expensive to process.
 * Exceeding a limit closes the connection with ENHANCE_YOUR_CALM. Immutable.
 */
public final class AbuseLimits {
  public static final AbuseLimits DEFAULT = new AbuseLimits(new EnumMap<>(AbuseKind.class));

  private final Map<AbuseKind, Rate> unusual;

  private AbuseLimits(Map<AbuseKind, Rate> unusual) {
    this.unusual = unusual;
  }

  /** How often this offence is allowed when at most this many streams may be open at once. */
  public Rate rate(AbuseKind offence, int streams) {
    Rate rate = unusual.get(offence);
    return rate == null ? offence.usualRate(streams) : rate;
  }

  /** These limits with another rate for that offence. */
  public AbuseLimits with(AbuseKind offence, Rate rate) {
    Map<AbuseKind, Rate> changed = new EnumMap<>(AbuseKind.class);
    changed.putAll(unusual);
    changed.put(offence, rate);
    return new AbuseLimits(changed);
  }
}
