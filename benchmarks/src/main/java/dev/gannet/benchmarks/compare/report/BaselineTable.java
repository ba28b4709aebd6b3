package dev.gannet.benchmarks.compare.report;

import dev.gannet.benchmarks.compare.statistics.Change;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.trial.BaselineFindings;
import dev.gannet.benchmarks.compare.trial.BaselineTrial;
import dev.gannet.benchmarks.compare.trial.Effort;
import dev.gannet.benchmarks.compare.trial.Judged;
import dev.gannet.benchmarks.compare.trial.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The working tree beside a baseline, as Markdown: a table for each workload. */
public final class BaselineTable {
  /** Above this load, other programs change ratios as much as the changes that are to be found. */
  private static final double QUIET_PERCENT = 5;

  private static final String HEAD =
      "| judged | figure | baseline | working tree | working tree / baseline | baseline / baseline"
          + " | |\n|---|---|---:|---:|---|---|---|\n";

  private BaselineTable() {}

  /** What the tables contain, and how to read them. */
  public static String introduction(
      String baseline, String workingTree, Machine machine, Effort effort) {
    return String.format(
        Locale.ROOT,
        """
        ## The working tree beside a baseline

        Baseline: commit %s. Working tree: commit %s. %s, %d cores, %s, %s.

        A server is judged while the baseline's client (or h2load) calls it, a client while it calls
        the baseline's server. Each of %d rounds has fresh processes, which are warm after %,d calls
        and %.1f s, or after %.1f s, and then take %d turns of %d ms; a round's figure is the median of its turns.
        Columns with a slash have the median of the rounds, and in parentheses the least and the
        greatest. Above 1.00 is worse, whatever is measured: for calls/s the quotient is turned over.
        `baseline / baseline` is the same build in other processes, which shows the noise of this
        run.
        """,
        baseline,
        workingTree,
        machine.processor(),
        machine.cores(),
        machine.kernel(),
        machine.jdk(),
        effort.rounds(),
        effort.warmupCalls(),
        effort.shortestWarmup().toMillis() / 1e3,
        effort.longestWarmup().toMillis() / 1e3,
        BaselineTrial.TURNS,
        effort.round().toMillis());
  }

  /** The result of a workload. */
  public static String of(Workload workload, List<BaselineFindings> findings, double limit) {
    StringBuilder text = new StringBuilder();
    text.append("\n### ").append(workload.name()).append("\n\n");
    text.append(workload.description()).append("\n\n").append(HEAD);
    for (BaselineFindings found : findings) {
      found.lines().forEach(it -> text.append(row(it, limit)));
      for (Metric metric : found.missing()) {
        text.append("| | ")
            .append(metric.title())
            .append(" | n/a | n/a | n/a | n/a | one of the builds does not report it |\n");
      }
    }
    return text.toString();
  }

  private static String row(BaselineFindings.Line line, double limit) {
    Metric metric = line.metric();
    List<String> cells = new ArrayList<>();
    cells.add(line.judged().title());
    cells.add(metric.title());
    cells.add(metric.digits(line.before()));
    cells.add(metric.digits(line.after()));
    cells.add(format(line.change()));
    cells.add(format(line.control()));
    cells.add(
        switch (line.judgedBy(limit)) {
          case WITHIN_LIMIT -> Judged.isLimited(metric) ? "" : "not judged";
          case WITHIN_NOISE -> "noise";
          case WORSE -> "**worse**";
        });
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String format(Change change) {
    return String.format(
        Locale.ROOT, "%.2f (%.2f..%.2f)", change.median(), change.least(), change.most());
  }

  /** The load of other programs on the machine, in percent of its processor time. */
  public static String disturbance(double stolen, double others) {
    return String.format(
        Locale.ROOT,
        "%nOf the processors' time meanwhile, the machine's host took %.2f %% (steal) and other"
            + " processes %.1f %%.%s%n",
        stolen,
        others,
        stolen + others > QUIET_PERCENT
            ? " **The machine was not quiet: do not rely on these figures.**"
            : "");
  }

  /** A sentence about a line whose median is above the limit and above the noise. */
  public static String complaint(Workload workload, BaselineFindings.Line line) {
    return "%s, %s: %s is %s, and the baseline beside itself %s"
        .formatted(
            workload.name(),
            line.judged().title(),
            line.metric().title(),
            format(line.change()),
            format(line.control()));
  }
}
