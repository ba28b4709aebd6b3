package dev.gannet.cli;

import java.util.Optional;
import org.HdrHistogram.Histogram;

/** How calls of one kind went. For one thread at a time. */
final class Tally {
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Histogram latencyNanos = new Histogram(SIGNIFICANT_DIGITS);
  private long errors;
  private Optional<String> firstError = Optional.empty();

  void right(long nanos) {
    latencyNanos.recordValue(nanos);
  }

  void wrong(String what) {
    errors++;
    firstError = firstError.or(() -> Optional.of(what));
  }

  /** Counts what another has counted. */
  void add(Tally other) {
    latencyNanos.add(other.latencyNanos);
    addErrors(other);
  }

  /** Counts what went wrong for another, and nothing else of it. */
  void addErrors(Tally other) {
    errors += other.errors;
    firstError = firstError.or(() -> other.firstError);
  }

  /** All calls, right or wrong. */
  long calls() {
    return latencyNanos.getTotalCount() + errors;
  }

  long errors() {
    return errors;
  }

  /** What was wrong with the first call that was. */
  Optional<String> firstError() {
    return firstError;
  }

  /** How long right calls took. */
  double latencyMillis(double percentile) {
    return latencyNanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }
}
