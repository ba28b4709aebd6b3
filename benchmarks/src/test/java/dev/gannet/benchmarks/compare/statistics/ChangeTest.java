package dev.gannet.benchmarks.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.gannet.benchmarks.compare.statistics.Change.Judgement;
import java.util.List;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What a working tree costs beside a baseline, and what is made of it. */
final class ChangeTest {
  private static final Offset<Double> TINY = within(1e-9);

  @Test
  void aHigherCostGivesARatioAboveOne() {
    Change change = change(Metric.SERVER_CPU, List.of(10.0, 20.0, 40.0), List.of(11.0, 26.0, 48.0));

    assertThat(change.median()).isEqualTo(1.2, TINY);
    assertThat(change.least()).isEqualTo(1.1, TINY);
    assertThat(change.most()).isEqualTo(1.3, TINY);
  }

  @Test
  void aLowerRateGivesARatioAboveOneAsWell() {
    assertThat(change(Metric.CALLS_PER_SECOND, List.of(300.0), List.of(200.0)).median())
        .isEqualTo(1.5, TINY);
  }

  @Test
  void roundsThatAllBecomeSlowerAreNoChangeOfTheBuild() {
    Change change = change(Metric.SERVER_CPU, List.of(1.0, 2.0, 3.0), List.of(1.0, 2.0, 3.0));

    assertThat(change).isEqualTo(new Change(1, 1, 1));
  }

  @Test
  void aFigureThatOneBuildLacksHasNoChange() {
    List<Round> before = List.of(Round.of(Metric.SERVER_CPU, 3));
    List<Round> after = List.of(Round.of(Metric.SERVER_BYTES, 3));

    assertThat(Change.of(Metric.SERVER_BYTES, before, after)).isEmpty();
    assertThat(Change.of(Metric.SERVER_CPU, before, after)).isEmpty();
  }

  @Test
  void aMedianAtTheLimitIsWithinIt() {
    assertThat(new Change(1.05, 0.9, 1.5).judgedBy(1.05, new Change(1, 1, 1)))
        .isEqualTo(Judgement.WITHIN_LIMIT);
  }

  @Test
  void aMedianWithinTheNoiseOfTheBaselineIsNoise() {
    assertThat(new Change(1.08, 1.02, 1.1).judgedBy(1.05, new Change(1.01, 0.95, 1.08)))
        .isEqualTo(Judgement.WITHIN_NOISE);
  }

  @Test
  void aMedianAboveTheLimitAndTheNoiseIsWorse() {
    assertThat(new Change(1.08, 1.02, 1.1).judgedBy(1.05, new Change(1.01, 0.95, 1.07)))
        .isEqualTo(Judgement.WORSE);
  }

  private static Change change(Metric metric, List<Double> before, List<Double> after) {
    return Change.of(metric, rounds(metric, before), rounds(metric, after)).orElseThrow();
  }

  private static List<Round> rounds(Metric metric, List<Double> figures) {
    return DoubleStream.of(figures.stream().mapToDouble(it -> it).toArray())
        .mapToObj(it -> Round.of(metric, it))
        .toList();
  }
}
