package dev.gannet.benchmarks.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a contender counts as warm. */
final class SteadinessTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Steadiness steadiness = new Steadiness(1000, SECOND, Duration.ofSeconds(20), 6);

  @Test
  void enoughCallsAndTwoSimilarRatesEndTheWarmUp() {
    steadiness.passed(600, SECOND);
    assertThat(steadiness.isWarm()).isFalse();
    steadiness.passed(600, SECOND);
    assertThat(steadiness.isWarm()).isFalse();
    steadiness.passed(610, SECOND);

    assertThat(steadiness.isWarm()).isTrue();
    assertThat(steadiness.reservation()).isEmpty();
  }

  @Test
  void aFastProgramIsNotWarmBeforeTheMinimumTime() {
    Steadiness fast = new Steadiness(1000, SECOND.multipliedBy(3), SECOND.multipliedBy(20), 6);
    for (int i = 0; i < 3; i++) {
      fast.passed(1_000_000, SECOND);
      assertThat(fast.isWarm()).isFalse();
    }
    fast.passed(1_000_000, SECOND);

    assertThat(fast.isWarm()).isTrue();
    assertThat(fast.reservation()).isEmpty();
  }

  @Test
  void aRateThatGrowsByMoreThanFivePercentIsNotSteady() {
    steadiness.passed(1000, SECOND);
    steadiness.passed(1060, SECOND);
    assertThat(steadiness.isWarm()).isFalse();
    steadiness.passed(1100, SECOND);

    assertThat(steadiness.isWarm()).isTrue();
  }

  @Test
  void aSlowProgramIsWarmAfterTheMaximumTime() {
    for (int i = 0; i < 20; i++) {
      steadiness.passed(1, SECOND);
      assertThat(steadiness.isWarm()).isFalse();
    }
    steadiness.passed(1, SECOND);

    assertThat(steadiness.isWarm()).isTrue();
    assertThat(steadiness.reservation()).contains("warm after 21 calls instead of 1,000");
  }

  @Test
  void anUnsteadyProgramIsAcceptedAfterSixRounds() {
    steadiness.passed(1000, SECOND);
    for (int i = 0; i < 5; i++) {
      steadiness.passed(i % 2 == 0 ? 2000 : 1000, SECOND);
      assertThat(steadiness.isWarm()).isFalse();
    }
    steadiness.passed(1000, SECOND);

    assertThat(steadiness.isWarm()).isTrue();
    assertThat(steadiness.reservation()).contains("not steady after 6 rounds");
  }

  @Test
  void withoutRoundsToSettleEnoughCallsSuffice() {
    Steadiness hasty = new Steadiness(10, Duration.ZERO, SECOND, 0);
    hasty.passed(10, Duration.ofMillis(1));

    assertThat(hasty.isWarm()).isTrue();
  }
}
