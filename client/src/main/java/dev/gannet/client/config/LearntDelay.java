package dev.gannet.client.config;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hedging delay that a channel learns for each method: how long the first attempt of all but a
 * few of its calls takes until its response begins. With the 95th percentile about one call in
 * twenty is hedged, however fast or slow the method is. Immutable.
 *
 * <p>The channel measures from the beginning of a call's first attempt to its response headers.
 * Where another attempt is answered first, the time until then counts: the first one takes longer.
 * Older calls count less and less.
 */
public final class LearntDelay {
  /** The 95th percentile, 1 millisecond to 10 seconds, after 100 calls. */
  public static final LearntDelay DEFAULT =
      new LearntDelay(95, Duration.ofMillis(1), Duration.ofSeconds(10), 100);

  private static final double MAX_PERCENT = 99.9;
  private static final int MAX_CALLS = 300;

  private final double percentile;
  private final Duration min;
  private final Duration max;
  private final int minCalls;

  private LearntDelay(double percentile, Duration min, Duration max, int minCalls) {
    this.percentile = percentile;
    this.min = min;
    this.max = max;
    this.minCalls = minCalls;
  }

  /**
   * The same with that percentile.
   *
   * @param percentile 50 to 99.9
   * @throws IllegalArgumentException if it is outside that range
   */
  public LearntDelay withPercentile(double percentile) {
    if (!(percentile >= 50 && percentile <= MAX_PERCENT)) {
      throw new IllegalArgumentException("percentile must be 50 to 99.9: " + percentile);
    }
    return new LearntDelay(percentile, min, max, minCalls);
  }

  /**
   * The same with these limits: no learnt delay is shorter or longer.
   *
   * @throws IllegalArgumentException if the first is not positive, or longer than the second
   */
  public LearntDelay withBounds(Duration min, Duration max) {
    Check.positive("the shortest delay", min);
    if (min.compareTo(Objects.requireNonNull(max, "the longest delay")) > 0) {
      throw new IllegalArgumentException(
          "the shortest delay (" + min + ") is longer than the longest (" + max + ")");
    }
    return new LearntDelay(percentile, min, max, minCalls);
  }

  /**
   * The same, but a learnt delay is used only after this many calls of the method were measured.
   *
   * @param calls 10 to 300
   * @throws IllegalArgumentException if it is outside that range
   */
  public LearntDelay withMinCalls(int calls) {
    if (calls < 10 || calls > MAX_CALLS) {
      throw new IllegalArgumentException("minCalls must be 10 to 300: " + calls);
    }
    return new LearntDelay(percentile, min, max, calls);
  }

  /** The percentage of calls whose first attempt is answered within the delay. */
  public double percentile() {
    return percentile;
  }

  /** The shortest delay that is learnt. */
  public Duration min() {
    return min;
  }

  /** The longest delay that is learnt. */
  public Duration max() {
    return max;
  }

  /** The number of calls of a method that are measured before a learnt delay is used. */
  public int minCalls() {
    return minCalls;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LearntDelay that
        && Double.compare(percentile, that.percentile) == 0
        && min.equals(that.min)
        && max.equals(that.max)
        && minCalls == that.minCalls;
  }

  @Override
  public int hashCode() {
    return Objects.hash(percentile, min, max, minCalls);
  }

  @Override
  public String toString() {
    return "LearntDelay[percentile=%s, min=%s, max=%s, minCalls=%d]"
        .formatted(percentile, min, max, minCalls);
  }
}
