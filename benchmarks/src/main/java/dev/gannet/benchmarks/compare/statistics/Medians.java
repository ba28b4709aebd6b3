package dev.gannet.benchmarks.compare.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Summarizes rounds in one figure: the median, or the greatest value where it is a maximum. */
public final class Medians {
  private Medians() {}

  /**
   * The median of the rounds that have such a figure, or the greatest maximum; empty if there is
   * none.
   */
  public static OptionalDouble of(Metric metric, List<Round> rounds) {
    double[] figures =
        rounds.stream()
            .map(it -> it.figure(metric))
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .toArray();
    if (metric == Metric.MAX) {
      return Arrays.stream(figures).max();
    }
    return figures.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(median(figures));
  }

  /** The middle value, or the mean of the two in the middle; there must be at least one. */
  public static double median(double... figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
