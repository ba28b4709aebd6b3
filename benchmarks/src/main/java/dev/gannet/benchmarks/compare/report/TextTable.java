package dev.gannet.benchmarks.compare.report;

import dev.gannet.benchmarks.compare.statistics.Medians;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Ratio;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.trial.Contender;
import dev.gannet.benchmarks.compare.trial.Result;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures as a Markdown table: the medians of each contender, the ratios of each pair. */
public final class TextTable {
  private static final String ABSENT = "–";

  private TextTable() {}

  /** Prints a workload. */
  public static void print(Result result, PrintWriter out) {
    out.printf("%n### %s%n%n%s%n", result.workload().name(), result.workload().description());
    List<Metric> metrics = metrics(result);
    if (!metrics.isEmpty()) {
      out.println();
      rows(result, metrics).forEach(it -> out.println("| " + String.join(" | ", it) + " |"));
    }
    result.remarks().forEach(it -> out.printf("%n%s%n", it));
    result.failures().forEach(it -> out.printf("%nFAILED: %s%n", it));
    out.flush();
  }

  /** The metrics for which any contender has figures. */
  static List<Metric> metrics(Result result) {
    return Arrays.stream(Metric.values())
        .filter(metric ->
            result.rounds().values().stream()
                .anyMatch(rounds -> Medians.of(metric, rounds).isPresent()))
        .toList();
  }

  /** Header, line, contenders, pairs. */
  static List<List<String>> rows(Result result, List<Metric> metrics) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("server/client", metrics.stream().map(Metric::title).toList()));
    rows.add(row("---", metrics.stream().map(it -> "---:").toList()));
    for (Map.Entry<Contender, List<Round>> entry : result.rounds().entrySet()) {
      List<String> cells = metrics.stream().map(it -> median(it, entry.getValue())).toList();
      rows.add(row(entry.getKey().toString(), cells));
    }
    for (Result.Verdict verdict : result.verdicts()) {
      List<String> cells = metrics.stream().map(it -> ratio(verdict.ratios(), it)).toList();
      rows.add(row(verdict.duel().second() + " better than " + verdict.duel().first(), cells));
    }
    return rows;
  }

  private static List<String> row(String head, List<String> cells) {
    List<String> row = new ArrayList<>(List.of(head));
    row.addAll(cells);
    return row;
  }

  private static String median(Metric metric, List<Round> rounds) {
    var median = Medians.of(metric, rounds);
    return median.isPresent() ? metric.digits(median.getAsDouble()) : ABSENT;
  }

  private static String ratio(Map<Metric, Ratio> ratios, Metric metric) {
    Ratio ratio = ratios.get(metric);
    return ratio == null
        ? ABSENT
        : String.format(
            Locale.ROOT, "%.2fx (%.2f..%.2f)", ratio.median(), ratio.least(), ratio.most());
  }
}
