package dev.gannet.benchmarks.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What rounds of two contenders make of each other. */
final class RatioTest {
  private static final Offset<Double> TINY = within(1e-9);

  @Test
  void theMedianIsTheMiddleWhateverTheOrder() {
    assertThat(Medians.median(9, 1, 5)).isEqualTo(5);
    assertThat(Medians.median(4, 1, 3, 2)).isEqualTo(2.5);
    assertThat(Medians.median(7)).isEqualTo(7);
  }

  @Test
  void anUnmeasuredFigureHasNoMedian() {
    assertThat(Medians.of(Metric.P99, rounds(Metric.SERVER_CPU, 1, 2))).isEmpty();
  }

  @Test
  void forACostMetricTheLowerValueIsBetter() {
    Ratio ratio = ratio(Metric.SERVER_CPU, List.of(20.0, 30.0, 40.0), List.of(10.0, 10.0, 10.0));

    assertThat(ratio.median()).isEqualTo(3, TINY);
    assertThat(ratio.least()).isEqualTo(2, TINY);
    assertThat(ratio.most()).isEqualTo(4, TINY);
  }

  @Test
  void forARateTheHigherValueIsBetter() {
    Ratio ratio = ratio(Metric.CALLS_PER_SECOND, List.of(100.0, 200.0), List.of(300.0, 300.0));

    assertThat(ratio.median()).isEqualTo(2, TINY);
    assertThat(ratio.least()).isEqualTo(1.5, TINY);
    assertThat(ratio.most()).isEqualTo(3, TINY);
  }

  @Test
  void aWorseFigureHasARatioBelowOne() {
    assertThat(ratio(Metric.P50, List.of(5.0), List.of(10.0)).median()).isEqualTo(0.5, TINY);
  }

  @Test
  void aFigureThatOneSideLacksHasNoRatio() {
    List<Round> first = rounds(Metric.CLIENT_CPU, 3, 4);
    List<Round> second = rounds(Metric.SERVER_CPU, 3, 4);

    assertThat(Ratio.of(Metric.CLIENT_CPU, first, second)).isEmpty();
  }

  @Test
  void nothingIsDividedByZero() {
    assertThat(
            Ratio.of(
                Metric.SERVER_CPU,
                rounds(Metric.SERVER_CPU, 0, 0),
                rounds(Metric.SERVER_CPU, 1, 2)))
        .isEmpty();
  }

  private static Ratio ratio(Metric metric, List<Double> first, List<Double> second) {
    return Ratio.of(metric, rounds(metric, array(first)), rounds(metric, array(second)))
        .orElseThrow();
  }

  private static double[] array(List<Double> figures) {
    return figures.stream().mapToDouble(it -> it).toArray();
  }

  private static List<Round> rounds(Metric metric, double... figures) {
    return DoubleStream.of(figures).mapToObj(it -> Round.of(metric, it)).toList();
  }
}
