package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Ratio;
import dev.gannet.benchmarks.compare.statistics.Round;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The result of a workload.
 *
 * @param rounds all rounds of each contender, of all its duels
 * @param failures what went wrong, a sentence each
 * @param remarks what figures are to be read with
 */
public record Result(
    Workload workload,
    Map<Contender, List<Round>> rounds,
    List<Verdict> verdicts,
    List<String> failures,
    List<String> remarks) {
  /** The ratios of the two contenders of a duel, for everything that was measured of both. */
  public record Verdict(Duel duel, Map<Metric, Ratio> ratios) {
    static Verdict of(Duel duel, List<Round> first, List<Round> second) {
      Map<Metric, Ratio> ratios = new EnumMap<>(Metric.class);
      for (Metric metric : Metric.values()) {
        Ratio.of(metric, first, second).ifPresent(it -> ratios.put(metric, it));
      }
      return new Verdict(duel, ratios);
    }
  }

  /** The same, with a remark for each duel that was not possible. */
  public Result without(List<Duel> impossible) {
    Stream<String> missing =
        impossible.stream()
            .map(it ->
                it.first()
                    + " and "
                    + it.second()
                    + " are not compared: one is missing, or cannot");
    return new Result(
        workload, rounds, verdicts, failures, Stream.concat(remarks.stream(), missing).toList());
  }

  public Result {
    rounds = new LinkedHashMap<>(rounds);
    verdicts = List.copyOf(verdicts);
    failures = List.copyOf(failures);
    remarks = List.copyOf(remarks);
  }
}
