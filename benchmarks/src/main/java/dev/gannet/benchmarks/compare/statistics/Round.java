package dev.gannet.benchmarks.compare.statistics;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** The figures of one round of a contender, without those that could not be measured. */
public record Round(Map<Metric, Double> figures, Optional<Histogram> latencyNanos) {
  private static final double NANOS_PER_MICRO = 1e3;

  public Round {
    figures = Collections.unmodifiableMap(new EnumMap<>(figures));
  }

  /** A round of one figure. */
  public static Round of(Metric metric, double figure) {
    return new Round(Map.of(metric, figure), Optional.empty());
  }

  /** A round with latencies; their percentiles are added to its figures. */
  public static Round of(Map<Metric, Double> figures, Histogram latencyNanos) {
    Map<Metric, Double> all = new EnumMap<>(figures);
    all.put(Metric.P50, micros(latencyNanos.getValueAtPercentile(50)));
    all.put(Metric.P90, micros(latencyNanos.getValueAtPercentile(90)));
    all.put(Metric.P99, micros(latencyNanos.getValueAtPercentile(99)));
    all.put(Metric.P999, micros(latencyNanos.getValueAtPercentile(99.9)));
    all.put(Metric.MAX, micros(latencyNanos.getMaxValue()));
    return new Round(all, Optional.of(latencyNanos));
  }

  /** A summary of several rounds: the median of each figure, without their latencies. */
  public static Round medianOf(List<Round> rounds) {
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    for (Metric metric : Metric.values()) {
      Medians.of(metric, rounds).ifPresent(it -> figures.put(metric, it));
    }
    return new Round(figures, Optional.empty());
  }

  /** The figure, if it was measured. */
  public OptionalDouble figure(Metric metric) {
    Double figure = figures.get(metric);
    return figure == null ? OptionalDouble.empty() : OptionalDouble.of(figure);
  }

  private static double micros(long nanos) {
    return nanos / NANOS_PER_MICRO;
  }
}
