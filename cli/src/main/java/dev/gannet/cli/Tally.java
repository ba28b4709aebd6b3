package dev.gannet.cli;

import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The results of calls of one kind. For one thread at a time. */
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

  /** Adds the counts of another tally. */
  void add(Tally other) {
    latencyNanos.add(other.latencyNanos);
    addErrors(other);
  }

  /** Adds only the failures of another tally. */
  void addErrors(Tally other) {
    errors += other.errors;
    firstError = firstError.or(() -> other.firstError);
  }

  /** All calls, successful or failed. */
  long calls() {
    return latencyNanos.getTotalCount() + errors;
  }

  long errors() {
    return errors;
  }

  /** Why the first failed call failed. */
  Optional<String> firstError() {
    return firstError;
  }

  /** How long successful calls took. */
  double latencyMillis(double percentile) {
    return latencyNanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }
}
