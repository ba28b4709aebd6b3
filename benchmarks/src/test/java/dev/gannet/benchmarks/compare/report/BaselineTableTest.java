package dev.gannet.benchmarks.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.trial.BaselineComparison;
import dev.gannet.benchmarks.compare.trial.BaselineFindings;
import dev.gannet.benchmarks.compare.trial.Entrant;
import dev.gannet.benchmarks.compare.trial.Entrant.Reach;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.compare.trial.Judged;
import dev.gannet.benchmarks.compare.trial.Workload;
import dev.gannet.benchmarks.compare.trial.Workloads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a reader sees of a working tree beside a baseline. */
final class BaselineTableTest {
  private static final Workload WORKLOAD = Workloads.named("unary-4x10").orElseThrow();
  private static final BaselineComparison.Pair BASELINE = pair("baseline");
  private static final BaselineComparison.Pair CONTROL = pair("control");
  private static final BaselineComparison.Pair WORKING = pair("working-tree");

  @Test
  void aLineHasBothBuildsTheChangeAndTheNoise() {
    assertThat(table(round(2.00, 1_000, 100), round(2.02, 1_000, 110), round(2.10, 1_300, 300)))
        .contains(
            "| server, inline | server CPU µs/call | 2.00 | 2.10 | 1.05 (1.05..1.05) |"
                + " 1.01 (1.01..1.01) |  |",
            "| server, inline | server bytes/call | 1,000 | 1,300 | 1.30 (1.30..1.30) |"
                + " 1.00 (1.00..1.00) | **worse** |",
            "| server, inline | p99 µs | 100 | 300 | 3.00 (3.00..3.00) | 1.10 (1.10..1.10) |"
                + " not judged |");
  }

  @Test
  void aChangeWithinTheNoiseOfTheBaselineIsMarkedAsNoise() {
    assertThat(table(round(2.00, 1_000, 100), round(2.20, 1_000, 100), round(2.20, 1_000, 100)))
        .contains("| 1.10 (1.10..1.10) | 1.10 (1.10..1.10) | noise |");
  }

  @Test
  void aFigureThatABuildLacksIsNotAvailable() {
    Round old = Round.of(Metric.SERVER_CPU, 2);

    assertThat(table(old, old, round(2, 1_000, 100)))
        .contains("| | server bytes/call | n/a | n/a | n/a | n/a |")
        .contains("| server, inline | server CPU µs/call | 2.00 | 2.00 |");
  }

  @Test
  void aMachineThatWasNotQuietIsNamed() {
    assertThat(BaselineTable.disturbance(0.04, 1.2))
        .contains("took 0.04 % (steal) and other processes 1.2 %.")
        .doesNotContain("not quiet");
    assertThat(BaselineTable.disturbance(0.04, 41)).contains("The machine was not quiet");
  }

  private static String table(Round baseline, Round control, Round working) {
    var comparison =
        new BaselineComparison(BASELINE, CONTROL, Map.of(Judged.SERVER_INLINE, WORKING));
    var found =
        new BaselineFindings(
            comparison,
            Map.of(
                BASELINE, List.of(baseline), CONTROL, List.of(control), WORKING, List.of(working)));
    return BaselineTable.of(WORKLOAD, List.of(found), 1.05);
  }

  private static Round round(double cpu, double bytes, double p99) {
    return new Round(
        Map.of(Metric.SERVER_CPU, cpu, Metric.SERVER_BYTES, bytes, Metric.P99, p99),
        Optional.empty());
  }

  private static BaselineComparison.Pair pair(String name) {
    Entrant entrant = new Entrant(name, new Source.Missing("nobody starts it"), Reach.ALL);
    return new BaselineComparison.Pair(entrant, entrant);
  }
}
