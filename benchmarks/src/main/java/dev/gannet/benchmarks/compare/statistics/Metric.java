package dev.gannet.benchmarks.compare.statistics;

import java.util.Locale;

/** The measured quantities. */
public enum Metric {
  CALLS_PER_SECOND("calls/s", Better.HIGHER, 0),
  SERVER_CPU("server CPU µs/call", Better.LOWER, 2),
  CLIENT_CPU("client CPU µs/call", Better.LOWER, 2),
  SERVER_BYTES("server bytes/call", Better.LOWER, 0),
  CLIENT_BYTES("client bytes/call", Better.LOWER, 0),
  SERVER_INSTRUCTIONS("server instructions/call", Better.LOWER, 0),
  CLIENT_INSTRUCTIONS("client instructions/call", Better.LOWER, 0),
  P50("p50 µs", Better.LOWER, 0),
  P90("p90 µs", Better.LOWER, 0),
  P99("p99 µs", Better.LOWER, 0),
  P999("p99.9 µs", Better.LOWER, 0),
  MAX("max µs", Better.LOWER, 0),
  SERVER_RSS("server RSS MiB", Better.LOWER, 0),
  CLIENT_RSS("client RSS MiB", Better.LOWER, 0),
  RSS_PER_CONNECTION("RSS KiB/connection", Better.LOWER, 1),
  SERVER_HEAP_PER_CONNECTION("server heap bytes/connection", Better.LOWER, 0),
  SERVER_HEAP_PER_STREAM("server heap bytes/stream", Better.LOWER, 0),
  CLIENT_HEAP_PER_STREAM("client heap bytes/stream", Better.LOWER, 0),
  FIRST_CALL("first call ms", Better.LOWER, 0);

  private enum Better {
    HIGHER,
    LOWER
  }

  private final String title;
  private final Better better;
  private final int decimals;

  Metric(String title, Better better, int decimals) {
    this.title = title;
    this.better = better;
    this.decimals = decimals;
  }

  /** Name and unit. */
  public String title() {
    return title;
  }

  /** A figure with its unit, rounded to its significant digits. */
  public String format(double figure) {
    return digits(figure) + " " + title;
  }

  /** A figure rounded to its significant digits. */
  public String digits(double figure) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", figure);
  }

  /** How many times better {@code second} is than {@code first}; below 1 if it is worse. */
  public double advantage(double first, double second) {
    return switch (better) {
      case HIGHER -> second / first;
      case LOWER -> first / second;
    };
  }
}
