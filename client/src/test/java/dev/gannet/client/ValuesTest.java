package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.LoadReport;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.OutlierDetectionSettings.FailurePercentage;
import dev.gannet.client.balancer.OutlierDetectionSettings.SuccessRate;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import dev.gannet.client.config.LearntDelay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Objects that only carry values are equal if their values are, and print them. */
final class ValuesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final CallTracker TRACKER = call -> TrackedCall.NONE;

  private static ChannelCallCounts counts(long started) {
    return new ChannelCallCounts(new ChannelCallCounts.Values(started, 2, 3, 4, 5, 6, 7, 8, 9));
  }

  @Test
  void equalValuesAreEqual() {
    List<Supplier<Object>> different =
        List.of(
            () -> counts(1),
            () -> counts(9),
            () -> LoadReport.builder().build(),
            () -> LoadReport.builder().requestCost(Map.of("cost", 1.0)).build(),
            () -> FailurePercentage.DEFAULT.withEnforcementPercentage(7),
            () -> FailurePercentage.DEFAULT.withThreshold(7),
            () -> SuccessRate.DEFAULT.withMinimumHosts(7),
            () -> SuccessRate.DEFAULT.withRequestVolume(7),
            () -> SuccessRate.DEFAULT.withEnforcementPercentage(7),
            () -> FailurePercentage.DEFAULT.withMinimumHosts(7),
            () -> FailurePercentage.DEFAULT.withRequestVolume(7),
            () -> SuccessRate.DEFAULT.withStdevFactor(7),
            () -> OutlierDetectionSettings.DEFAULT,
            () -> OutlierDetectionSettings.DEFAULT.withInterval(MINUTE),
            () -> OutlierDetectionSettings.DEFAULT.withEjectionTimes(MINUTE, MINUTE),
            () -> OutlierDetectionSettings.DEFAULT.withMaxEjectionPercent(7),
            () -> OutlierDetectionSettings.DEFAULT.with(SuccessRate.DEFAULT),
            () -> OutlierDetectionSettings.DEFAULT.with(FailurePercentage.DEFAULT),
            () -> SubchannelOptions.DEFAULT,
            () -> SubchannelOptions.DEFAULT.withCallTracker(TRACKER),
            () -> WeightedRoundRobinSettings.DEFAULT,
            () -> WeightedRoundRobinSettings.DEFAULT.withBlackoutPeriod(MINUTE),
            () -> WeightedRoundRobinSettings.DEFAULT.withWeightExpirationPeriod(MINUTE),
            () -> WeightedRoundRobinSettings.DEFAULT.withWeightUpdatePeriod(MINUTE),
            () -> WeightedRoundRobinSettings.DEFAULT.withErrorUtilizationPenalty(7),
            () -> WeightedRoundRobinSettings.DEFAULT.withOobReportingPeriod(MINUTE),
            () -> LearntDelay.DEFAULT,
            () -> LearntDelay.DEFAULT.withPercentile(50),
            () -> LearntDelay.DEFAULT.withBounds(Duration.ofMillis(1), MINUTE),
            () -> LearntDelay.DEFAULT.withBounds(MINUTE, MINUTE),
            () -> LearntDelay.DEFAULT.withMinCalls(10));
    for (Supplier<Object> one : different) {
      assertThat(one.get()).isEqualTo(one.get()).hasSameHashCodeAs(one.get());
      assertThat(different.stream().map(Supplier::get).filter(one.get()::equals)).hasSize(1);
    }
  }

  @Test
  void valuesArePrinted() {
    assertThat(counts(1)).asString().startsWith("ChannelCallCounts[started=1, refused=2,");
    assertThat(counts(1).attempts()).isEqualTo(1 - 2 + 5 + 6 + 7);
    assertThat(LoadReport.builder().cpuUtilization(0.5).build())
        .asString()
        .contains("cpuUtilization=0.5");
    assertThat(SubchannelOptions.DEFAULT)
        .hasToString("SubchannelOptions[callTracker=" + CallTracker.NONE + "]");
    assertThat(SuccessRate.DEFAULT).hasToString("SuccessRate[1900, 100, 5, 100]");
    assertThat(FailurePercentage.DEFAULT).hasToString("FailurePercentage[85, 100, 5, 50]");
  }
}
