package dev.gannet.serviceconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.client.balancer.LoadBalancerProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which service config of a TXT record counts (gRFC A2). */
class ConfigChoicesTest {
  /** A choice with that timeout; the criteria end in a comma. */
  private static String choice(String criteria, int seconds) {
    return "{%s'serviceConfig': {'methodConfig': [{'name': [{}], 'timeout': '%ds'}]}}"
        .formatted(criteria, seconds);
  }

  private static Optional<Duration> timeout(int percentile, String... choices) {
    String json = ("[" + String.join(",", choices) + "]").replace('\'', '"');
    return ServiceConfigs.parseChoices(json, List.of(), () -> "host-1", percentile)
        .flatMap(it -> it.methodConfig("a/B").timeout());
  }

  @Test
  void theFirstMatchingChoiceIsUsed() {
    assertThat(timeout(0, choice("", 1), choice("", 2))).contains(Duration.ofSeconds(1));
    assertThat(timeout(0, choice("'clientLanguage': ['c++'],", 1), choice("", 2)))
        .contains(Duration.ofSeconds(2));
    assertThat(timeout(0)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'clientLanguage': ['go', 'JAVA'], | 0 | true",
        "'clientLanguage': ['go'], | 0 | false",
        "'clientLanguage': [], | 0 | true",
        "'clientLanguage': null, | 0 | true",
        "'percentage': 0, | 0 | false",
        "'percentage': 1, | 0 | true",
        "'percentage': 50, | 49 | true",
        "'percentage': 50, | 50 | false",
        "'percentage': 100, | 99 | true",
        "'clientHostname': ['host-1'], | 0 | true",
        "'clientHostname': ['HOST-1'], | 0 | false",
        "'clientHostname': ['host-2', 'host-1'], | 0 | true",
        "'clientHostname': [], | 0 | true",
        "'clientLanguage': ['java'], 'percentage': 10, 'clientHostname': ['host-1'], | 9 | true",
        "'clientLanguage': ['java'], 'percentage': 10, 'clientHostname': ['host-2'], | 9 | false",
      })
  void allCriteriaMustMatch(String criteria, int percentile, boolean fits) {
    assertThat(timeout(percentile, choice(criteria, 1)).isPresent()).isEqualTo(fits);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | must be a list",
        "[1] | [0] must be an object",
        "[{}] | [0] has no serviceConfig",
        "[{'serviceConfig': 1}] | [0].serviceConfig must be an object",
        "[{'serviceConfig': {}}, {'serviceConfig': {}, 'x': 1}] | [1] has the field 'x'",
        "[{'serviceConfig': {}, 'percentage': 101}] | [0].percentage must be 0 to 100",
        "[{'serviceConfig': {}, 'percentage': -1}] | [0].percentage must be 0 to 100",
        "[{'serviceConfig': {}, 'clientLanguage': 'java'}] | [0].clientLanguage must be a list",
        "[{'serviceConfig': {}, 'clientHostname': [1]}] | [0].clientHostname[0] must be a string",
        "[{'serviceConfig': {'methodConfig': 1}}] | [0].serviceConfig.methodConfig must be a list",
        "[ | not JSON at character",
      })
  void oneInvalidChoiceMakesAllInvalid(String json, String words) {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            ServiceConfigs.parseChoices(json.replace('\'', '"'), List.of(), () -> "host-1", 0))
        .withMessageContaining(words);
  }

  @Test
  void theHostNameIsReadOnlyIfAChoiceNamesHosts() {
    assertThat(
            ServiceConfigs.parseChoices(
                "[{\"serviceConfig\": {}}]",
                List.of(),
                () -> {
                  throw new AssertionError("nobody wants to know");
                },
                99))
        .isPresent();
  }

  @Test
  void policiesOfTheCallerCanBeChosen() {
    assertThat(
            ServiceConfigs.parseChoices(
                    "[{\"serviceConfig\": {\"loadBalancingConfig\": [{\"round_robin\": {}}]}}]",
                    List.of(LoadBalancerProvider.roundRobin()),
                    () -> "host-1",
                    0)
                .flatMap(it -> it.loadBalancer()))
        .isPresent();
  }

  @Test
  void aPercentileIsLessThanAHundred() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceConfigs.parseChoices("[]", List.of(), () -> "", 100))
        .withMessageContaining("0 to 99");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceConfigs.parseChoices("[]", List.of(), () -> "", -1));
  }
}
