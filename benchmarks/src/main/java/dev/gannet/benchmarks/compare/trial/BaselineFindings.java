package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Change;
import dev.gannet.benchmarks.compare.statistics.Medians;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a comparison.
 *
 * @param rounds of each pair, of which those with the same index ran beside each other
 */
public record BaselineFindings(
    BaselineComparison comparison, Map<BaselineComparison.Pair, List<Round>> rounds) {
  /**
   * One figure of what is judged.
   *
   * @param before the baseline's median
   * @param after the working tree's median
   * @param change the working tree beside the baseline
   * @param control the baseline beside itself
   */
  public record Line(
      Judged judged, Metric metric, double before, double after, Change change, Change control) {
    /** The verdict under a limit. */
    public Change.Judgement judgedBy(double limit) {
      return Judged.isLimited(metric)
          ? change.judgedBy(limit, control)
          : Change.Judgement.WITHIN_LIMIT;
    }
  }

  /** All figures that both builds have. */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    comparison
        .judged()
        .forEach((judged, pair) -> {
          for (Metric metric : judged.metrics()) {
            line(judged, pair, metric).ifPresent(lines::add);
          }
        });
    return lines;
  }

  /** What is missing because one of the builds does not report it. */
  public List<Metric> missing() {
    List<Round> all = rounds.values().stream().flatMap(List::stream).toList();
    return comparison.judged().keySet().stream()
        .flatMap(it -> it.metrics().stream())
        .filter(it -> Medians.of(it, all).isPresent())
        .filter(it -> rounds.values().stream().anyMatch(one -> Medians.of(it, one).isEmpty()))
        .distinct()
        .toList();
  }

  private Optional<Line> line(Judged judged, BaselineComparison.Pair pair, Metric metric) {
    Optional<Change> change = Change.of(metric, of(comparison.baseline()), of(pair));
    Optional<Change> control =
        Change.of(metric, of(comparison.baseline()), of(comparison.control()));
    if (change.isEmpty() || control.isEmpty()) {
      return Optional.empty();
    }
    double before = Medians.of(metric, of(comparison.baseline())).orElseThrow();
    double after = Medians.of(metric, of(pair)).orElseThrow();
    return Optional.of(new Line(judged, metric, before, after, change.get(), control.get()));
  }

  private List<Round> of(BaselineComparison.Pair pair) {
    return rounds.getOrDefault(pair, List.of());
  }
}
