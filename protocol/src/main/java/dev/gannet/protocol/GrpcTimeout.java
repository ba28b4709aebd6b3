package dev.gannet.protocol;

import java.util.OptionalLong;

/**
 * The value of {@code grpc-timeout}: how long a client waits, as 1 to 8 digits and a unit
 * (PROTOCOL-HTTP2, Timeout).
 */
public final class GrpcTimeout {
  static final long MALFORMED = -1;

  private static final int MAX_DIGITS = 8;
  private static final long MAX_AMOUNT = 99_999_999;

  private static final char[] UNITS = {'n', 'u', 'm', 'S', 'M', 'H'};

  private GrpcTimeout() {}

  /**
   * The time in the finest unit that needs at most 8 digits, rounded up to a whole number of units.
   *
   * @param nanos the remaining time; 0 or less, for a call that just expired, gives {@code 0n}
   */
  public static String format(long nanos) {
    if (nanos <= 0) {
      return "0n";
    }
    int unit = 0;
    while (amount(nanos, unit) > MAX_AMOUNT) {
      unit++; // ends at hours at the latest: the longest time is less than 3 million hours
    }
    return Long.toString(amount(nanos, unit)) + UNITS[unit];
  }

  private static long amount(long nanos, int unit) {
    return Math.ceilDiv(nanos, unitNanos(UNITS[unit]));
  }

  /**
   * The time in nanoseconds, {@code Long.MAX_VALUE} if it is longer than that; empty if the text is
   * not 1 to 8 digits and a unit.
   */
  public static OptionalLong parseNanos(String text) {
    long nanos = parse(text);
    return nanos == MALFORMED ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  /** Like {@link #parseNanos}, but returns {@link #MALFORMED} instead of empty. */
  static long parse(String text) {
    int digits = text.length() - 1;
    if (digits < 1 || digits > MAX_DIGITS) {
      return MALFORMED;
    }
    long amount = 0;
    for (int i = 0; i < digits; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return MALFORMED;
      }
      amount = amount * 10 + (c - '0');
    }
    long unitNanos = unitNanos(text.charAt(digits));
    if (unitNanos == 0) {
      return MALFORMED;
    }
    long nanos = amount * unitNanos;
    boolean overflows = nanos < 0 || Math.multiplyHigh(amount, unitNanos) != 0;
    return overflows ? Long.MAX_VALUE : nanos;
  }

  /** The length of that unit; 0 if there is no such unit. */
  private static long unitNanos(char unit) {
    return switch (unit) {
      case 'n' -> 1;
      case 'u' -> 1_000;
      case 'm' -> 1_000_000;
      case 'S' -> 1_000_000_000;
      case 'M' -> 60_000_000_000L;
      case 'H' -> 3_600_000_000_000L;
      default -> 0;
    };
  }
}
