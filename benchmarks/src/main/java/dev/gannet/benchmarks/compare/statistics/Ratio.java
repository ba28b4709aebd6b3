package dev.gannet.benchmarks.compare.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How many times better the second of a pair is than the first.
 *
 * @param median of the medians of both
 * @param least the worst of two rounds that were neighbours
 * @param most the best of them
 */
public record Ratio(double median, double least, double most) {
  /**
   * The ratio of two contenders that took turns, so that their rounds of the same index ran next to
   * each other; empty if either has no such figure, or a zero.
   */
  public static Optional<Ratio> of(Metric metric, List<Round> first, List<Round> second) {
    List<Double> ofNeighbours = new ArrayList<>();
    for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
      double one = first.get(i).figure(metric).orElse(0);
      double other = second.get(i).figure(metric).orElse(0);
      if (one > 0 && other > 0) {
        ofNeighbours.add(metric.advantage(one, other));
      }
    }
    if (ofNeighbours.isEmpty()) {
      return Optional.empty();
    }
    double median =
        metric.advantage(
            Medians.of(metric, first).orElseThrow(), Medians.of(metric, second).orElseThrow());
    return Optional.of(
        new Ratio(
            median,
            ofNeighbours.stream().min(Double::compare).orElseThrow(),
            ofNeighbours.stream().max(Double::compare).orElseThrow()));
  }
}
