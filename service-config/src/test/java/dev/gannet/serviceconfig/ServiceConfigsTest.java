package dev.gannet.serviceconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** gRPC's JSON of a service config (gRFC A2, A6, A21). */
class ServiceConfigsTest {
  private static final String WHOLE =
      """
      {
        "loadBalancingConfig": [{"unknown": {"a": [1, null]}}, {"round_robin": {}}],
        "methodConfig": [
          {
            "name": [{"service": "a.B", "method": "C"}, {"service": "a.D"}],
            "timeout": "1.5s",
            "waitForReady": true,
            "maxRequestMessageBytes": 100,
            "maxResponseMessageBytes": "200",
            "retryPolicy": {
              "maxAttempts": 4,
              "initialBackoff": "0.1s",
              "maxBackoff": "10s",
              "backoffMultiplier": 1.5,
              "retryableStatusCodes": ["UNAVAILABLE", "aborted", 8]
            },
            "somethingNew": {"x": -1e3}
          },
          {
            "name": [{}],
            "hedgingPolicy": {
              "maxAttempts": 3,
              "hedgingDelay": "0.000000001s",
              "nonFatalStatusCodes": [14]
            }
          },
          {"timeout": "1s"}
        ],
        "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.5466},
        "healthCheckConfig": {"serviceName": "x"}
      }
      """;

  @Test
  void aDurationMayBeginWithTheDecimalPoint() {
    assertThat(
            ServiceConfigs.parse("{\"methodConfig\": [{\"name\": [{}], \"timeout\": \".25s\"}]}")
                .methodConfig("a/B")
                .timeout())
        .contains(Duration.ofMillis(250));
  }

  @Test
  void aWholeConfigIsRead() {
    ServiceConfig config = ServiceConfigs.parse(WHOLE);
    MethodConfig method =
        MethodConfig.builder()
            .timeout(Duration.ofMillis(1500))
            .waitForReady(true)
            .maxRequestMessageBytes(100)
            .maxResponseMessageBytes(200)
            .retryPolicy(
                RetryPolicy.of(
                        4,
                        Status.Code.UNAVAILABLE,
                        Status.Code.ABORTED,
                        Status.Code.RESOURCE_EXHAUSTED)
                    .withInitialBackoff(Duration.ofMillis(100))
                    .withMaxBackoff(Duration.ofSeconds(10))
                    .withBackoffMultiplier(1.5))
            .build();
    assertThat(config.methodConfig("a.B/C")).isEqualTo(method);
    assertThat(config.methodConfig("a.D/E")).isEqualTo(method);
    assertThat(config.methodConfig("a.B/D").furtherAttempts())
        .contains(
            HedgingPolicy.of(3)
                .withHedgingDelay(Duration.ofNanos(1))
                .withNonFatalStatusCodes(List.of(Status.Code.UNAVAILABLE)));
    assertThat(config.retryThrottling()).contains(RetryThrottling.of(10, 0.546));
    assertThat(config.loadBalancer().map(LoadBalancerProvider::policyName)).contains("round_robin");
    assertThat(ServiceConfigs.parse(WHOLE)).isEqualTo(config).hasSameHashCodeAs(config);
    assertThat(ServiceConfigs.parse("{}")).isEqualTo(ServiceConfig.EMPTY);
  }

  private static void isRefused(String json, String words) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceConfigs.parse(json.replace('\'', '"')))
        .withMessageContaining(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | the config must be an object",
        "{'methodConfig': {}} | methodConfig must be a list",
        "{'methodConfig': [1]} | methodConfig[0] must be an object",
        "{'methodConfig': [{'timeout': '1'}]} | methodConfig[0].timeout must be seconds",
        "{'methodConfig': [{'timeout': 's'}]} | methodConfig[0].timeout must be seconds",
        "{'methodConfig': [{'timeout': '.s'}]} | methodConfig[0].timeout must be seconds",
        "{'methodConfig': [{'timeout': '1.s'}]} | methodConfig[0].timeout must be seconds",
        "{'methodConfig': [{'timeout': '-1s'}]} | methodConfig[0].timeout is invalid: timeout cannot",
        "{'methodConfig': [{'timeout': '1.0000000001s'}]} | methodConfig[0].timeout",
        "{'methodConfig': [{'timeout': '315576000001s'}]} | methodConfig[0].timeout",
        "{'methodConfig': [{'timeout': 1}]} | methodConfig[0].timeout must be a string",
        "{'methodConfig': [{'waitForReady': 'yes'}]} | methodConfig[0].waitForReady must be true",
        "{'methodConfig': [{'maxRequestMessageBytes': -1}]} | maxRequestMessageBytes is invalid",
        "{'methodConfig': [{'maxRequestMessageBytes': 1.5}]} | must be a whole number",
        "{'methodConfig': [{'maxRequestMessageBytes': 3e9.5}]} | maxRequestMessageBytes): ",
        "{'methodConfig': [{'maxRequestMessageBytes': true}]} | must be a number",
        "{'methodConfig': [{'name': [{'method': 'C'}]}]} | name[0] has a method and no service",
        "{'methodConfig': [{'name': [{}, {}]}]} | methodConfig[0].name[1] is invalid",
        "{'methodConfig': [{'name': [{'service': 1}]}]} | name[0].service must be a string",
        "{'methodConfig': [{'name': [{'service': '/a.B'}]}]} | methodConfig[0].name[0] is invalid",
        "{'methodConfig': [{'retryPolicy': {}}]} | methodConfig[0].retryPolicy has no maxAttempts",
        "{'methodConfig': [{'hedgingPolicy': {'maxAttempts': 1}}]} | hedgingPolicy is invalid",
        "{'retryThrottling': {'maxTokens': 10}} | retryThrottling has no tokenRatio",
        "{'retryThrottling': {'maxTokens': 0, 'tokenRatio': 1}} | retryThrottling is invalid",
        "{'loadBalancingConfig': [{}]} | loadBalancingConfig[0] must have one field",
        "{'loadBalancingConfig': [{'x': {}}]} | loadBalancingConfig names no known policy: x",
        "{'loadBalancingConfig': [{'round_robin': 1}]} | [0].round_robin must be an object",
        "{'loadBalancingConfig': [{'least_request_experimental': {'choiceCount': 1}}]} | choiceCount is invalid: least_request needs",
        "{'loadBalancingPolicy': 'x'} | loadBalancingPolicy is not a known policy; known are least_request_experimental, nearest_first,",
        "{'loadBalancingPolicy': 'outlier_detection_experimental'} | loadBalancingPolicy is a policy that needs settings",
        "{'a': 1, 'a': 2} | appears twice",
      })
  void aBadValueIsNamedByItsPath(String json, String words) {
    isRefused(json, words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{]",
        "{'a'}",
        "{'a':}",
        "{'a':1,}",
        "{a:1}",
        "[1 2]",
        "[01]",
        "[+1]",
        "[.5]",
        "[1.]",
        "[NaN]",
        "[tru]",
        "['\\x']",
        "['\\u12g4']",
        "['",
        "['\n']",
        "{} {}",
        "nul",
        "[1e9999]",
        "[-]",
        "[--1]"
      })
  void invalidJsonIsRefusedWithItsPlace(String json) {
    isRefused(json, "not JSON at character ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"99", "-1", "OKAY", "OK"})
  void unknownStatusCodesAreRefused(String code) {
    isRefused(
        "{'methodConfig': [{'hedgingPolicy': {'maxAttempts': 2, 'nonFatalStatusCodes': ['"
            + code
            + "']}}]}",
        "methodConfig[0].hedgingPolicy");
  }

  @Test
  void aMethodConfigWithRetryAndHedgingPolicyIsRefused() {
    String retry =
        "'retryPolicy': {'maxAttempts': 2, 'initialBackoff': '1s', 'maxBackoff': '1s',"
            + " 'backoffMultiplier': 1, 'retryableStatusCodes': [14],"
            + " 'perAttemptRecvTimeout': '2s'}";
    isRefused(
        "{'methodConfig': [{" + retry + ", 'hedgingPolicy': {'maxAttempts': 2}}]}",
        "methodConfig[0] can have a retryPolicy or a hedgingPolicy, not both");
  }

  @Test
  void loadBalancingPoliciesAreCreatedWithTheirSettings() {
    for (String settings :
        List.of(
            "'pick_first': {'shuffleAddressList': true}",
            "'least_request_experimental': {'choiceCount': 99}",
            "'ring_hash_experimental': {'minRingSize': 5, 'maxRingSize': 10,"
                + " 'requestHashHeader': 'user'}",
            "'random_subsetting_experimental': {'subsetSize': 2, 'childPolicy':"
                + " [{'round_robin': {}}]}")) {
      String json = ("{'loadBalancingConfig': [{" + settings + "}]}").replace('\'', '"');
      ServiceConfig config = ServiceConfigs.parse(json);
      assertThat(settings).startsWith("'" + config.loadBalancer().orElseThrow().policyName());
      assertThat(ServiceConfigs.parse(json)).isEqualTo(config);
      assertThat(ServiceConfigs.parse("{\"loadBalancingPolicy\": \"ROUND_ROBIN\"}"))
          .isNotEqualTo(config);
    }
    LoadBalancerProvider own = LoadBalancerProvider.roundRobin();
    assertThat(
            ServiceConfigs.parse("{\"loadBalancingConfig\": [{\"round_robin\": {}}]}", List.of(own))
                .loadBalancer()
                .map(LoadBalancerProvider::policyName))
        .contains("round_robin");
  }

  @Test
  void aTextIsBoundedInSizeAndDepth() {
    isRefused("[".repeat(33), "deeper than 32");
    isRefused("{}" + " ".repeat(1 << 16), "at most 65536");
    assertThat(ServiceConfigs.parse("{\"a\":" + "[".repeat(31) + "]".repeat(31) + "}"))
        .isEqualTo(ServiceConfig.EMPTY);
  }

  @Test
  void damagedTextsAreReadOrRefused() {
    for (long seed = 0; seed < 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder(WHOLE);
      for (int i = 0; i < random.nextInt(1, 5); i++) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, "{}[]\",:0-9.es\\u".charAt(random.nextInt(15)));
          default -> text.setCharAt(at, (char) random.nextInt(1, 128));
        }
      }
      try {
        ServiceConfigs.parse(text.toString());
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  void escapesAreRead() {
    ServiceConfig config =
        ServiceConfigs.parse(
            "{\"healthCheckConfig\":{\"serviceName\":\"\\u0061\\/\\b\\f\\n\\r\\t\\\\\\\"\"}}");
    assertThat(config.healthCheckService()).hasValue("a/\b\f\n\r\t\\\"");
  }

  private static LoadBalancerProvider policy(String json) {
    return ServiceConfigs.parse("{\"loadBalancingConfig\": [" + json + "]}")
        .loadBalancer()
        .orElseThrow();
  }

  @Test
  void aHealthCheckConfigNamesTheServiceToCheck() {
    assertThat(
            ServiceConfigs.parse("{\"healthCheckConfig\": {\"serviceName\": \"a.B\"}}")
                .healthCheckService())
        .hasValue("a.B");
    assertThat(
            ServiceConfigs.parse("{\"healthCheckConfig\": {\"serviceName\": \"\"}}")
                .healthCheckService())
        .hasValue("");
    for (String none :
        List.of("{}", "{\"healthCheckConfig\": {}}", "{\"healthCheckConfig\": null}")) {
      assertThat(ServiceConfigs.parse(none).healthCheckService()).isEmpty();
    }
    assertThatThrownBy(() -> ServiceConfigs.parse("{\"healthCheckConfig\": {\"serviceName\": 1}}"))
        .hasMessageContaining("healthCheckConfig.serviceName must be a string");
  }

  @Test
  void theConfigSetsTheNumberOfConnections() {
    assertThat(
            ServiceConfigs.parse("{\"connectionScaling\": {\"maxConnectionsPerSubchannel\": 4}}"))
        .isEqualTo(ServiceConfig.builder().maxConnectionsPerSubchannel(4).build())
        .isNotEqualTo(ServiceConfig.EMPTY);
    for (String none : List.of("null", "{}", "{\"maxConnectionsPerSubchannel\": 0}")) {
      assertThat(
              ServiceConfigs.parse("{\"connectionScaling\": " + none + "}")
                  .maxConnectionsPerSubchannel())
          .isEmpty();
    }
    assertThatThrownBy(() ->
            ServiceConfigs.parse("{\"connectionScaling\": {\"maxConnectionsPerSubchannel\": -1}}"))
        .hasMessageContaining("connectionScaling.maxConnectionsPerSubchannel is invalid")
        .hasMessageContaining("must be positive");
  }

  @Test
  void weightedRoundRobinHasItsSettings() {
    assertThat(
            policy(
                """
                {"weighted_round_robin": {"blackoutPeriod": "1s", "weightExpirationPeriod": "20s",
                  "weightUpdatePeriod": "0.5s", "errorUtilizationPenalty": 2,
                  "enableOobLoadReport": true, "oobReportingPeriod": "3s"}}
                """))
        .isEqualTo(
            policy(
                """
                {"weighted_round_robin": {"blackoutPeriod": "1s", "weightExpirationPeriod": "20s",
                  "weightUpdatePeriod": "0.5s", "errorUtilizationPenalty": 2,
                  "enableOobLoadReport": true, "oobReportingPeriod": "3s"}}
                """));
    assertThat(policy("{\"weighted_round_robin\": {}}").policyName())
        .isEqualTo("weighted_round_robin");
    assertThat(policy("{\"weighted_round_robin\": {\"enableOobLoadReport\": true}}").policyName())
        .isEqualTo("weighted_round_robin");
    assertThatThrownBy(() -> policy("{\"weighted_round_robin\": {\"blackoutPeriod\": \"-1s\"}}"))
        .hasMessageContaining("loadBalancingConfig[0].weighted_round_robin.blackoutPeriod")
        .hasMessageContaining("cannot be negative");
    assertThatThrownBy(
            () -> policy("{\"weighted_round_robin\": {\"errorUtilizationPenalty\": -1}}"))
        .hasMessageContaining("errorUtilizationPenalty");
  }

  @Test
  void outlierDetectionHasItsSettingsAndItsChild() {
    String child = "\"childPolicy\": [{\"round_robin\": {}}]";
    assertThat(
            policy(
                    """
                    {"outlier_detection_experimental": {"interval": "1s", "baseEjectionTime": "400s",
                      "maxEjectionPercent": 50,
                      "successRateEjection": {"stdevFactor": 1000, "minimumHosts": 2},
                      "failurePercentageEjection": {"threshold": 50, "requestVolume": 10},
                    """
                        + child
                        + "}}")
                .policyName())
        .isEqualTo("outlier_detection_experimental");
    assertThat(policy("{\"outlier_detection_experimental\": {" + child + "}}").policyName())
        .isEqualTo("outlier_detection_experimental");
    assertThatThrownBy(() -> policy("{\"outlier_detection_experimental\": {}}"))
        .hasMessageContaining("loadBalancingConfig[0].outlier_detection_experimental")
        .hasMessageEndingWith(".childPolicy is missing");
    assertThatThrownBy(() ->
            policy(
                "{\"outlier_detection_experimental\": {\"failurePercentageEjection\":"
                    + " {\"threshold\": 101}, "
                    + child
                    + "}}"))
        .hasMessageContaining("failurePercentageEjection.threshold is invalid");
  }
}
