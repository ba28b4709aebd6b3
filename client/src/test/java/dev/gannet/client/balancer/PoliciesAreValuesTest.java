package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A policy with the same settings is the same policy: channels replace their policy only by a
 * different one.
 */
final class PoliciesAreValuesTest {
  static Stream<Supplier<LoadBalancerProvider>> policies() {
    OutlierDetectionSettings outliers = OutlierDetectionSettings.DEFAULT;
    WeightedRoundRobinSettings weights = WeightedRoundRobinSettings.DEFAULT;
    return Stream.of(
        LoadBalancerProvider::pickFirst,
        () -> LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED),
        LoadBalancerProvider::roundRobin,
        () -> LoadBalancerProvider.leastRequest(2),
        () -> LoadBalancerProvider.leastRequest(3),
        () -> LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT),
        () -> LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT.withRingSizes(1, 9)),
        () -> LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT.withRingSizes(2, 9)),
        () -> LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT.withRequestHashHeader("user")),
        () -> LoadBalancerProvider.weightedRoundRobin(weights),
        () ->
            LoadBalancerProvider.weightedRoundRobin(
                weights.withBlackoutPeriod(Duration.ofSeconds(9))),
        () -> LoadBalancerProvider.outlierDetection(outliers, LoadBalancerProvider.roundRobin()),
        () -> LoadBalancerProvider.outlierDetection(outliers, LoadBalancerProvider.leastRequest(2)),
        () ->
            LoadBalancerProvider.outlierDetection(
                outliers.withInterval(Duration.ofSeconds(9)), LoadBalancerProvider.roundRobin()),
        () -> LoadBalancerProvider.randomSubsetting(2, LoadBalancerProvider.roundRobin()),
        () -> LoadBalancerProvider.randomSubsetting(3, LoadBalancerProvider.roundRobin()));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theSameSettingsAreTheSamePolicy(Supplier<LoadBalancerProvider> policy) {
    assertThat(policy.get()).isEqualTo(policy.get()).hasSameHashCodeAs(policy.get());
  }

  @Test
  void otherSettingsAreAnotherPolicy() {
    List<LoadBalancerProvider> all = policies().map(Supplier::get).toList();
    assertThat(all).doesNotHaveDuplicates();
  }
}
