package dev.gannet.serviceconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies of applications read their settings from a service config (gRFC A24). */
final class ConfiguredPoliciesTest {
  private static final String WHOLE =
      """
      {"loadBalancingConfig": [{"unknown": {}}, {"nearest_first": {
        "zone": "b",
        "spareZones": "2",
        "overflow": 0.25,
        "strict": true,
        "limits": {"patience": "1.5s"},
        "avoid": ["c", "d"],
        "zones": [{"weight": 3}, {}],
        "childPolicy": [{"least_request_experimental": {"choiceCount": 3}}],
        "somethingNew": {"x": 1}
      }}]}
      """;

  /** Passes on what it is configured with. */
  private record Listening(List<PolicyConfig> heard) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "listening";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LoadBalancerProvider configured(PolicyConfig config) {
      heard.add(config);
      return this;
    }
  }

  private static String config(String settings) {
    return "{\"loadBalancingConfig\": [{\"nearest_first\": " + settings + "}]}";
  }

  private static LoadBalancerProvider parsed(String json) {
    return ServiceConfigs.parse(json).loadBalancer().orElseThrow();
  }

  private static NearestFirst.Settings settings(String json) {
    return ((NearestFirst) ((BalancingPolicies.Configured) parsed(json)).provider()).settings;
  }

  @Test
  void aPolicyThatServiceLoaderFindsReadsEverySetting() {
    assertThat(parsed(WHOLE).policyName()).isEqualTo("nearest_first");
    NearestFirst.Settings read = settings(WHOLE);
    assertThat(read.zone()).isEqualTo("b");
    assertThat(read.spareZones()).isEqualTo(2);
    assertThat(read.overflow()).isEqualTo(0.25);
    assertThat(read.strict()).isTrue();
    assertThat(read.patience()).isEqualTo(Duration.ofMillis(1500));
    assertThat(read.avoid()).containsExactly("c", "d");
    assertThat(read.weights()).containsExactly(3, 1);
    assertThat(read.child().policyName()).isEqualTo("least_request_experimental");
  }

  @Test
  void missingSettingsHaveTheDefaultsOfThePolicy() {
    NearestFirst.Settings read = settings(config("{\"zone\": \"a\", \"strict\": null}"));
    assertThat(read)
        .isEqualTo(
            new NearestFirst.Settings(
                "a", 1, 1.5, false, Duration.ZERO, List.of(), List.of(), read.child()));
    assertThat(read.child().policyName()).isEqualTo("round_robin");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | zone is missing",
        "{'zone': 7} | zone must be a string",
        "{'zone': 'a', 'spareZones': -1} | spareZones must not be negative: -1",
        "{'zone': 'a', 'spareZones': 1.5} | spareZones must be a whole number: 1.5",
        "{'zone': 'a', 'overflow': 'much'} | overflow must be a number",
        "{'zone': 'a', 'strict': 1} | strict must be true or false",
        "{'zone': 'a', 'limits': []} | limits must be an object",
        "{'zone': 'a', 'limits': {'patience': 1}} | limits.patience must be a string",
        "{'zone': 'a', 'avoid': [1]} | avoid[0] must be a string",
        "{'zone': 'a', 'zones': [{}, 2]} | zones[1] must be an object",
        "{'zone': 'a', 'childPolicy': [{'absent': {}}]} | childPolicy names no known policy: absent",
      })
  void anInvalidSettingIsNamed(String settings, String message) {
    assertThatThrownBy(() -> parsed(config(settings.replace('\'', '"'))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("service config: loadBalancingConfig[0].nearest_first." + message);
  }

  @Test
  void anExceptionOfAPolicyIsAttributedToItsSetting() {
    assertThatThrownBy(() -> parsed(config("{\"zone\": \"a\", \"zones\": {}}")))
        .hasMessageContaining("loadBalancingConfig[0].nearest_first.zones must be a list");
  }

  /** Cannot say its name, or loses it with its settings. */
  private record Unnameable(Supplier<String> name, Supplier<String> afterwards)
      implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return name.get();
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LoadBalancerProvider configured(PolicyConfig config) {
      return new Unnameable(afterwards, afterwards);
    }
  }

  private static String noName() {
    throw new IllegalStateException("no name today");
  }

  @Test
  void aPolicyThatCannotSayItsNameMakesAConfigInvalid() {
    String json = "{\"loadBalancingConfig\": [{\"mine\": {}}]}";
    Unnameable never =
        new Unnameable(ConfiguredPoliciesTest::noName, ConfiguredPoliciesTest::noName);
    assertThatThrownBy(() -> ServiceConfigs.parse(json, List.of(never)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("policyName() of " + Unnameable.class.getName() + " failed: no name today");
    Unnameable first = new Unnameable(() -> "mine", ConfiguredPoliciesTest::noName);
    assertThatThrownBy(() -> ServiceConfigs.parse(json, List.of(first)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("service config: loadBalancingConfig[0].mine is invalid: ")
        .hasMessageEndingWith("failed: no name today");
  }

  @Test
  void configsWithTheSameSettingsAreEqual() {
    String one = config("{\"zone\": \"a\"}");
    assertThat(ServiceConfigs.parse(one)).isEqualTo(ServiceConfigs.parse(one));
    assertThat(ServiceConfigs.parse(one))
        .isNotEqualTo(ServiceConfigs.parse(config("{\"zone\": \"b\"}")));
  }

  @Test
  void aPolicyMayBeTheChildOfABuiltInOne() {
    LoadBalancerProvider parsed =
        parsed(
            """
            {"loadBalancingConfig": [{"random_subsetting_experimental": {
              "subsetSize": 2, "childPolicy": [{"nearest_first": {"zone": "a"}}]}}]}
            """);
    assertThat(parsed.policyName()).isEqualTo("random_subsetting_experimental");
  }

  @Test
  void policiesOfTheCallerComeFirstAndAreConfiguredToo() {
    List<PolicyConfig> heard = new ArrayList<>();
    ServiceConfigs.parse(
        "{\"loadBalancingConfig\": [{\"listening\": {\"loud\": \"yes\"}}]}",
        List.of(new Listening(heard)));
    assertThat(heard).hasSize(1);
    assertThat(heard.getFirst().text("loud")).hasValue("yes");
    assertThat(heard.getFirst().fault("loud", "is too loud"))
        .hasMessage("service config: loadBalancingConfig[0].listening.loud is too loud");
  }

  @Test
  void aPolicyReadsObjectsWhoseNamesItDoesNotKnow() {
    List<PolicyConfig> heard = new ArrayList<>();
    ServiceConfigs.parse(
        """
        {"loadBalancingConfig": [{"listening": {"targets": {
          "b": {"weight": 3}, "none": null, "a": {"weight": 1}}}}]}
        """,
        List.of(new Listening(heard)));
    assertThat(heard.getFirst().fields()).containsExactly("targets");
    PolicyConfig targets = heard.getFirst().object("targets").orElseThrow();
    assertThat(targets.fields()).containsExactly("b", "a").isUnmodifiable();
    assertThat(targets.fields())
        .extracting(it -> targets.object(it).orElseThrow().integer("weight"))
        .containsExactly(OptionalInt.of(3), OptionalInt.of(1));
  }

  @Test
  void theOlderFieldNamesAPolicyWithoutSettings() {
    LoadBalancerProvider parsed = parsed("{\"loadBalancingPolicy\": \"NEAREST_FIRST\"}");
    assertThat(((BalancingPolicies.Configured) parsed).provider())
        .isInstanceOfSatisfying(NearestFirst.class, it -> assertThat(it.settings.zone()).isEmpty());
  }

  /** Takes all settings, and keeps whose they are. */
  private record Taking(List<LoadBalancerProvider> taken) implements LoadBalancer {
    @Override
    public boolean onConfig(LoadBalancerProvider config) {
      return taken.add(config);
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {}

    @Override
    public void onResolutionFailed(Status why) {}

    @Override
    public void exitIdle() {}

    @Override
    public void shutdown() {}
  }

  @Test
  void aRunningPolicyIsGivenTheProviderThatHasReadItsSettings() {
    Taking policy = new Taking(new ArrayList<>());
    LoadBalancerProvider one = parsed(config("{\"zone\": \"a\"}"));
    assertThat(parsed(config("{\"zone\": \"a\"}")).reconfigure(policy, one)).isTrue();
    assertThat(policy.taken()).isEmpty();
    LoadBalancerProvider other = parsed(config("{\"zone\": \"b\"}"));
    assertThat(other.reconfigure(policy, one)).isTrue();
    assertThat(policy.taken()).containsExactly(((BalancingPolicies.Configured) other).provider());
    assertThat(other.reconfigure(policy, LoadBalancerProvider.roundRobin())).isFalse();
    LoadBalancerProvider roundRobin = parsed("{\"loadBalancingPolicy\": \"ROUND_ROBIN\"}");
    assertThat(roundRobin.reconfigure(policy, LoadBalancerProvider.roundRobin())).isTrue();
    assertThat(policy.taken()).hasSize(1);
  }

  @Test
  void aRunningPolicyIsKeptWhenAConfigWithItsNameIsWithdrawn() {
    Taking policy = new Taking(new ArrayList<>());
    LoadBalancerProvider ofConfig = parsed("{\"loadBalancingConfig\": [{\"round_robin\": {}}]}");
    LoadBalancerProvider ofBuilder = LoadBalancerProvider.roundRobin();
    assertThat(ofBuilder.reconfigure(policy, ofConfig)).isTrue();
    assertThat(policy.taken()).isEmpty();
    LoadBalancerProvider ofTwo = LoadBalancerProvider.leastRequest(2);
    LoadBalancerProvider ofThree =
        parsed(
            "{\"loadBalancingConfig\": [{\"least_request_experimental\": {\"choiceCount\": 3}}]}");
    assertThat(ofTwo.reconfigure(policy, ofThree)).isTrue();
    assertThat(policy.taken()).containsExactly(ofTwo);
    assertThat(ofBuilder.reconfigure(policy, ofTwo)).isFalse();
  }

  /** Reads its settings wrongly. */
  private record Broken(Supplier<LoadBalancerProvider> configured) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "broken";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LoadBalancerProvider configured(PolicyConfig config) {
      return configured.get();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // a user's code may return null
  void aPolicyThatCannotReadItsSettingsIsNamed() {
    assertThatThrownBy(() -> parsedBy(() -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "service config: loadBalancingConfig[0].broken cannot be read:"
                + " java.lang.NullPointerException: its provider returned null");
    assertThatThrownBy(() ->
            parsedBy(() -> {
              throw new IllegalStateException("no zone");
            }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "service config: loadBalancingConfig[0].broken cannot be read:"
                + " java.lang.IllegalStateException: no zone")
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  private static ServiceConfig parsedBy(Supplier<LoadBalancerProvider> configured) {
    return ServiceConfigs.parse(
        "{\"loadBalancingConfig\": [{\"broken\": {}}]}", List.of(new Broken(configured)));
  }
}
