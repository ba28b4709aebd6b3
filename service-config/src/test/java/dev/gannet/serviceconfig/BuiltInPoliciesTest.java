package dev.gannet.serviceconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.gannet.client.balancer.AddressOrder;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.OutlierDetectionSettings.FailurePercentage;
import dev.gannet.client.balancer.OutlierDetectionSettings.SuccessRate;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The built-in policies read every setting, and name a bad one. */
final class BuiltInPoliciesTest {
  private static LoadBalancerProvider read(String json, LoadBalancerProvider... first) {
    LoadBalancerProvider policy =
        ServiceConfigs.parse(
                "{\"loadBalancingConfig\": [" + json.replace('\'', '"') + "]}", List.of(first))
            .loadBalancer()
            .orElseThrow();
    return ((BalancingPolicies.Configured) policy).provider();
  }

  static Stream<Arguments> policies() {
    WeightedRoundRobinSettings weights = WeightedRoundRobinSettings.DEFAULT;
    return Stream.of(
        arguments("{'pick_first': {}}", LoadBalancerProvider.pickFirst()),
        arguments(
            "{'pick_first': {'shuffleAddressList': true}}",
            LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED)),
        arguments(
            "{'pick_first': {'shuffleAddressList': false}}", LoadBalancerProvider.pickFirst()),
        arguments("{'round_robin': {}}", LoadBalancerProvider.roundRobin()),
        arguments("{'least_request_experimental': {}}", LoadBalancerProvider.leastRequest(2)),
        arguments(
            "{'least_request_experimental': {'choiceCount': 99}}",
            LoadBalancerProvider.leastRequest(10)),
        arguments(
            "{'ring_hash_experimental': {}}",
            LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT)),
        arguments(
            "{'ring_hash_experimental': {'minRingSize': 5, 'maxRingSize': 10,"
                + " 'requestHashHeader': 'user'}}",
            LoadBalancerProvider.ringHash(
                RingHashSettings.DEFAULT.withRingSizes(5, 10).withRequestHashHeader("user"))),
        arguments("{'weighted_round_robin': {}}", LoadBalancerProvider.weightedRoundRobin(weights)),
        arguments(
            "{'weighted_round_robin': {'blackoutPeriod': '1s', 'weightExpirationPeriod': '20s',"
                + " 'weightUpdatePeriod': '0.5s', 'errorUtilizationPenalty': 2,"
                + " 'oobReportingPeriod': '3s'}}",
            LoadBalancerProvider.weightedRoundRobin(
                weights
                    .withBlackoutPeriod(Duration.ofSeconds(1))
                    .withWeightExpirationPeriod(Duration.ofSeconds(20))
                    .withWeightUpdatePeriod(Duration.ofMillis(500))
                    .withErrorUtilizationPenalty(2))),
        arguments(
            "{'weighted_round_robin': {'enableOobLoadReport': true}}",
            LoadBalancerProvider.weightedRoundRobin(
                weights.withOobReportingPeriod(Duration.ofSeconds(10)))),
        arguments(
            "{'weighted_round_robin': {'enableOobLoadReport': true, 'oobReportingPeriod': '3s'}}",
            LoadBalancerProvider.weightedRoundRobin(
                weights.withOobReportingPeriod(Duration.ofSeconds(3)))));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aPolicyEqualsOneCreatedWithItsSettings(String json, LoadBalancerProvider expected) {
    assertThat(read(json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      nullValues = "off",
      value = {
        "{}, PT5S",
        "{'enableOobLoadReport': true}, PT5S",
        "{'enableOobLoadReport': false}, off",
        "{'oobReportingPeriod': '3s'}, PT3S",
        "\"{'enableOobLoadReport': true, 'oobReportingPeriod': '3s'}\", PT3S",
        "\"{'enableOobLoadReport': false, 'oobReportingPeriod': '3s'}\", off"
      })
  void settingsOfAProgramRemainUnlessTheJsonSaysOtherwise(
      String json, @Nullable Duration expected) {
    WeightedRoundRobinSettings given =
        WeightedRoundRobinSettings.DEFAULT.withOobReportingPeriod(Duration.ofSeconds(5));
    WeightedRoundRobinSettings wanted =
        expected == null
            ? WeightedRoundRobinSettings.DEFAULT
            : given.withOobReportingPeriod(expected);
    assertThat(
            read(
                "{'weighted_round_robin': " + json + "}",
                LoadBalancerProvider.weightedRoundRobin(given)))
        .isEqualTo(LoadBalancerProvider.weightedRoundRobin(wanted));
  }

  @Test
  void aPolicyThatWrapsAnotherReadsItsChildToo() {
    String child = "'childPolicy': [{'least_request_experimental': {'choiceCount': 3}}]";
    LoadBalancerProvider outliers =
        read(
            "{'outlier_detection_experimental': {'interval': '1s', 'baseEjectionTime': '400s',"
                + " 'maxEjectionPercent': 50, 'successRateEjection': {'stdevFactor': 1000,"
                + " 'enforcementPercentage': 7, 'minimumHosts': 2, 'requestVolume': 9},"
                + " 'failurePercentageEjection': {'threshold': 50, 'enforcementPercentage': 8,"
                + " 'minimumHosts': 3, 'requestVolume': 10}, "
                + child
                + "}}");
    assertThat(outliers.policyName()).isEqualTo("outlier_detection_experimental");
    OutlierDetectionSettings settings =
        OutlierDetectionSettings.DEFAULT
            .withInterval(Duration.ofSeconds(1))
            .withEjectionTimes(Duration.ofSeconds(400), Duration.ofSeconds(400))
            .withMaxEjectionPercent(50)
            .with(
                SuccessRate.DEFAULT
                    .withStdevFactor(1000)
                    .withEnforcementPercentage(7)
                    .withMinimumHosts(2)
                    .withRequestVolume(9))
            .with(
                FailurePercentage.DEFAULT
                    .withThreshold(50)
                    .withEnforcementPercentage(8)
                    .withMinimumHosts(3)
                    .withRequestVolume(10));
    LoadBalancerProvider below =
        ServiceConfigs.parse(
                "{\"loadBalancingConfig\": [{\"least_request_experimental\": {\"choiceCount\":"
                    + " 3}}]}")
            .loadBalancer()
            .orElseThrow();
    assertThat(outliers).isEqualTo(LoadBalancerProvider.outlierDetection(settings, below));
    assertThat(read("{'random_subsetting_experimental': {'subsetSize': 2, " + child + "}}"))
        .isEqualTo(LoadBalancerProvider.randomSubsetting(2, below));
  }

  @ParameterizedTest
  @CsvSource({"pick_first, false", "round_robin, true"})
  void aConfiguredPolicyDistributesCallsAsItsProviderDoes(String name, boolean expected) {
    String child = "{\"" + name + "\": {}}";
    String wrapped =
        "{\"random_subsetting_experimental\": {\"subsetSize\": 2, \"childPolicy\": ["
            + child
            + "]}}";
    for (String policy : List.of(child, wrapped)) {
      assertThat(
              ServiceConfigs.parse("{\"loadBalancingConfig\": [" + policy + "]}")
                  .loadBalancer()
                  .orElseThrow()
                  .distributesCalls())
          .isEqualTo(expected);
    }
  }

  @Test
  void settingsMissingInTheConfigAreThoseOfTheCallersPolicy() {
    LoadBalancerProvider own = LoadBalancerProvider.leastRequest(5);
    assertThat(read("{'least_request_experimental': {}}", own)).isEqualTo(own);
    assertThat(read("{'least_request_experimental': {'choiceCount': 3}}", own))
        .isEqualTo(LoadBalancerProvider.leastRequest(3));
  }

  @Test
  void theDefaultsOfProtocolBuffersAreAllowed() {
    assertThat(read("{'ring_hash_experimental': {'requestHashHeader': ''}}"))
        .isEqualTo(LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT));
    String child = "'childPolicy': [{'round_robin': {}}]";
    assertThat(read("{'outlier_detection_experimental': {'interval': '0s', " + child + "}}"))
        .isNotEqualTo(read("{'outlier_detection_experimental': {" + child + "}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'pick_first': {'shuffleAddressList': 1} | .shuffleAddressList must be true or false",
        "'least_request_experimental': {'choiceCount': 1} | .choiceCount is invalid: least_request",
        "'ring_hash_experimental': {'minRingSize': 0} | is invalid: ring sizes must be 1 to",
        "'ring_hash_experimental': {'requestHashHeader': ':'} | .requestHashHeader is invalid: ",
        "'weighted_round_robin': {'blackoutPeriod': '-1s'} | .blackoutPeriod is invalid: ",
        "'outlier_detection_experimental': {'interval': '-1s'} | .interval is invalid: interval cannot",
        "'weighted_round_robin': {'oobReportingPeriod': 'x'} | .oobReportingPeriod ",
        "'outlier_detection_experimental': {'successRateEjection': []} | Ejection must be an object",
        "'outlier_detection_experimental': {'successRateEjection': {'minimumHosts': -1}} | .successRateEjection.minimumHosts is invalid: minimumHosts cannot be negative: -1",
        "'outlier_detection_experimental': {} | .childPolicy is missing",
        "'random_subsetting_experimental': {'subsetSize': 1} | .childPolicy is missing",
        "'random_subsetting_experimental': {'childPolicy': [{'round_robin': {}}]} | .subsetSize is missing",
        "'random_subsetting_experimental': {'subsetSize': 0, 'childPolicy': [{'round_robin': {}}]} | .subsetSize is invalid: random_subsetting needs",
      })
  void aBadSettingIsNamed(String settings, String words) {
    String name = settings.substring(1, settings.indexOf(':') - 1);
    assertThatThrownBy(() -> read("{" + settings + "}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("service config: loadBalancingConfig[0]." + name)
        .hasMessageContaining(words);
  }
}
