package dev.gannet.benchmarks.compare.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.gannet.benchmarks.compare.statistics.Change;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.trial.BaselineComparison.Pair;
import dev.gannet.benchmarks.compare.trial.Entrant.Reach;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order of rounds and turns, and what is made of them; with pairs that only pretend. */
final class BaselineTrialTest {
  private static final BaselineComparison COMPARISON =
      new BaselineComparison(
          pair("base"),
          pair("control"),
          new EnumMap<>(
              Map.of(Judged.SERVER_INLINE, pair("server"), Judged.CLIENT, pair("client"))));

  private final List<String> turns = new ArrayList<>();
  private final List<String> starts = new ArrayList<>();
  private final List<Double> offers = new ArrayList<>();

  @Test
  void everyPairIsRestartedInEachRound() throws InterruptedException {
    trial("unary-4x10", 2, Map.of()).run(COMPARISON);

    assertThat(starts)
        .containsExactly(
            "base", "control", "server", "client", "control", "server", "client", "base");
  }

  @Test
  void noPairAlwaysFollowsTheSamePair() throws InterruptedException {
    trial("unary-4x10", 1, Map.of()).run(COMPARISON);

    assertThat(turns)
        .containsExactly(
            "base", "control", "server", "client", //
            "control", "server", "client", "base", //
            "server", "client", "base", "control");
  }

  @Test
  void aServerIsJudgedByWhatTheServerCostsAndAClientByWhatTheClientCosts()
      throws InterruptedException {
    BaselineFindings found =
        trial("unary-4x10", 3, Map.of("base", 10.0, "control", 10.1, "server", 12.0, "client", 9.0))
            .run(COMPARISON);

    List<BaselineFindings.Line> lines = found.lines();
    assertThat(lines)
        .extracting(BaselineFindings.Line::judged, BaselineFindings.Line::metric)
        .containsExactly(
            tuple(Judged.SERVER_INLINE, Metric.SERVER_CPU),
            tuple(Judged.CLIENT, Metric.CLIENT_CPU));
    assertThat(lines.getFirst().change().median()).isEqualTo(1.2);
    assertThat(lines.getFirst().control().median()).isEqualTo(1.01);
    assertThat(lines.getFirst().judgedBy(1.05)).isEqualTo(Change.Judgement.WORSE);
    assertThat(lines.getLast().change().median()).isEqualTo(0.9);
    assertThat(lines.getLast().judgedBy(1.05)).isEqualTo(Change.Judgement.WITHIN_LIMIT);
  }

  @Test
  void aFigureThatOneBuildLacksIsNamed() throws InterruptedException {
    BaselineFindings found = trial("unary-4x10", 1, Map.of("server", 0.0)).run(COMPARISON);

    assertThat(found.missing()).containsExactly(Metric.SERVER_CPU, Metric.CLIENT_CPU);
    assertThat(found.lines()).extracting(BaselineFindings.Line::judged).containsOnly(Judged.CLIENT);
  }

  @Test
  void aFixedRateIsTheSameForAllPairs() throws InterruptedException {
    trial("fixed-rate", 1, Map.of()).run(COMPARISON);

    assertThat(offers).containsExactly(500.0, 500.0, 500.0, 500.0);
  }

  @Test
  void aPairThatFailsEndsTheComparisonAndIsNamed() {
    assertThatThrownBy(() -> trial("unary-4x10", 1, Map.of("client", -1.0)).run(COMPARISON))
        .isInstanceOf(RunFailedException.class)
        .hasMessage("unary-4x10, client/client: it has died");
  }

  /** Of pairs that always find the same; 0 finds nothing, and below 0 fails. */
  private BaselineTrial trial(String workload, int rounds, Map<String, Double> figures) {
    return new BaselineTrial(
        Workloads.named(workload).orElseThrow(),
        Effort.ofBaseline().with(0, rounds, Duration.ZERO),
        new Certificate(),
        line -> {},
        (stage, pair) -> {
          String name = pair.server().name();
          starts.add(name);
          return new Pretended(name, figures.getOrDefault(name, 1.0));
        });
  }

  private static Pair pair(String name) {
    Entrant entrant = new Entrant(name, new Source.Missing("it only pretends"), Reach.ALL);
    return new Pair(entrant, entrant);
  }

  private final class Pretended implements Driver {
    private final String name;
    private final double figure;

    Pretended(String name, double figure) {
      this.name = name;
      this.figure = figure;
    }

    @Override
    public Warmth warmUp(Effort effort) {
      return new Warmth(name.equals("base") ? 1_000 : 2_000, Optional.empty());
    }

    @Override
    public void offer(double callsPerSecond) {
      offers.add(callsPerSecond);
    }

    @Override
    public Round round(Effort effort) {
      turns.add(name);
      if (figure < 0) {
        throw new RunFailedException("it has died");
      }
      return figure == 0
          ? new Round(new EnumMap<>(Metric.class), Optional.empty())
          : new Round(
              Map.of(Metric.SERVER_CPU, figure, Metric.CLIENT_CPU, figure), Optional.empty());
    }

    @Override
    public void check() {}
  }
}
