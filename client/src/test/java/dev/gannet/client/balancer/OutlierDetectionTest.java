package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.OutlierDetectionSettings.FailurePercentage;
import dev.gannet.client.balancer.OutlierDetectionSettings.SuccessRate;
import dev.gannet.client.resolver.Endpoint;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Endpoints that fail more calls than others are left out for a while (gRFC A50); subsets (A68).
 */
final class OutlierDetectionTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final String[] FIVE = {"a", "b", "c", "d", "e"};
  private static final OutlierDetectionSettings BY_FAILURES =
      OutlierDetectionSettings.DEFAULT.with(FailurePercentage.DEFAULT);

  private final FakeChannel channel = new FakeChannel();

  private LoadBalancer begin(OutlierDetectionSettings settings, LoadBalancerProvider child) {
    LoadBalancer policy = LoadBalancerProvider.outlierDetection(settings, child).create(channel);
    policy.onResolved(FakeChannel.endpoints(FIVE));
    channel.made.forEach(FakeAddress::becomesReady);
    return policy;
  }

  private LoadBalancer begin(OutlierDetectionSettings settings) {
    return begin(settings, LoadBalancerProvider.roundRobin());
  }

  private void calls(String host, int number, Status status) {
    for (int i = 0; i < number; i++) {
      channel.of(host).serves(status, new Metadata());
    }
  }

  /** 100 calls to each; that many of those to {@code a} fail. */
  private void anIntervalWithFailures(int ofA) {
    for (String host : FIVE) {
      int failed = host.equals("a") ? ofA : 0;
      calls(host, failed, Status.UNAVAILABLE);
      calls(host, 100 - failed, Status.OK);
    }
    channel.advance(Duration.ofSeconds(10));
  }

  private boolean isLeftOut(String host) {
    return !channel.picked(10).contains(host);
  }

  @Test
  void anEndpointAboveTheFailureThresholdIsEjectedForSomeTime() {
    begin(BY_FAILURES);
    anIntervalWithFailures(85);
    assertThat(isLeftOut("a")).isFalse();
    anIntervalWithFailures(86);
    assertThat(isLeftOut("a")).isTrue();
    assertThat(channel.of("a").shutDown).isFalse();
    channel.advance(Duration.ofSeconds(30));
    assertThat(isLeftOut("a")).isTrue(); // 30 s must have passed, and are looked at each 10 s
    channel.advance(Duration.ofSeconds(10));
    assertThat(isLeftOut("a")).isFalse();
  }

  @Test
  void anEndpointThatFailsAgainIsEjectedForLonger() {
    begin(BY_FAILURES);
    anIntervalWithFailures(100);
    channel.advance(Duration.ofSeconds(40));
    anIntervalWithFailures(100);
    channel.advance(Duration.ofSeconds(50));
    assertThat(isLeftOut("a")).isTrue();
    channel.advance(Duration.ofSeconds(20));
    assertThat(isLeftOut("a")).isFalse();
  }

  @Test
  void anEndpointStaysEjectedIfTheTimeIsForever() {
    begin(BY_FAILURES.withEjectionTimes(FOREVER, FOREVER));
    anIntervalWithFailures(100);
    channel.advance(Duration.ofDays(1));
    assertThat(isLeftOut("a")).isTrue();
  }

  @Test
  void nothingIsEjectedIfTheIntervalIsForever() {
    begin(BY_FAILURES.withInterval(FOREVER));
    anIntervalWithFailures(100);
    channel.advance(Duration.ofDays(1));
    assertThat(isLeftOut("a")).isFalse();
  }

  @Test
  void anEndpointFarBelowTheMeanSuccessRateIsEjected() {
    begin(OutlierDetectionSettings.DEFAULT.with(SuccessRate.DEFAULT));
    anIntervalWithFailures(0);
    assertThat(isLeftOut("a")).isFalse();
    anIntervalWithFailures(20); // mean 0.96, deviation 0.08: the bar is 0.808
    assertThat(isLeftOut("a")).isTrue();
  }

  @Test
  void tooFewCallsOrEndpointsEjectNobody() {
    begin(BY_FAILURES);
    calls("a", 49, Status.UNAVAILABLE);
    channel.advance(Duration.ofSeconds(10));
    assertThat(isLeftOut("a")).isFalse();
    calls("a", 50, Status.UNAVAILABLE); // enough, but of one endpoint only
    channel.advance(Duration.ofSeconds(10));
    assertThat(isLeftOut("a")).isFalse();
  }

  @Test
  void noMoreEndpointsAreEjectedThanAllowed() {
    begin(BY_FAILURES.withMaxEjectionPercent(40));
    for (String host : FIVE) {
      calls(host, 100, Status.UNAVAILABLE);
    }
    channel.advance(Duration.ofSeconds(10));
    assertThat(channel.picked(30)).doesNotContain("a", "b").contains("c", "d", "e");
  }

  @Test
  void anEjectedEndpointStaysEjectedOnANewConnection() {
    begin(BY_FAILURES);
    anIntervalWithFailures(100);
    channel.of("a").is(SubchannelState.IDLE);
    channel.of("a").becomesReady();
    assertThat(isLeftOut("a")).isTrue();
    channel.advance(Duration.ofSeconds(40));
    assertThat(isLeftOut("a")).isFalse();
  }

  @Test
  void withoutCriteriaNothingIsCounted() {
    LoadBalancer policy = begin(OutlierDetectionSettings.DEFAULT);
    assertThat(channel.of("a").tracker).isSameAs(CallTracker.NONE);
    assertThat(channel.loop.pendingTasks()).isZero();
    policy.shutdown();
  }

  /** A policy of an application that wraps another one under a name of its own. */
  private record Wrapping(LoadBalancerProvider child) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "wrapping";
    }

    @Override
    public boolean distributesCalls() {
      return child.distributesCalls();
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return child.create(context);
    }
  }

  /** {@code round_robin} that keeps its endpoints when the target has none. */
  private record Keeping() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "keeping";
    }

    @Override
    public boolean distributesCalls() {
      return true;
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      LoadBalancer policy = LoadBalancerProvider.roundRobin().create(context);
      return new ForwardingLoadBalancer() {
        @Override
        protected LoadBalancer delegate() {
          return policy;
        }

        @Override
        public boolean onNoEndpoints(Status why) {
          return false;
        }
      };
    }
  }

  @Test
  void anEjectionEndsIfTheParentLeavesNoEndpointsAndTheChildKeepsThem() {
    LoadBalancer policy = begin(BY_FAILURES, new Keeping());
    anIntervalWithFailures(100);
    policy.onResolved(FakeChannel.endpoints());
    assertThat(isLeftOut("a")).isTrue();
    channel.advance(Duration.ofSeconds(40));
    assertThat(isLeftOut("a")).isFalse();
  }

  static final List<LoadBalancerProvider> OF_ONE_ENDPOINT =
      List.of(
          LoadBalancerProvider.pickFirst(),
          LoadBalancerProvider.randomSubsetting(2, LoadBalancerProvider.pickFirst()),
          LoadBalancerProvider.outlierDetection(BY_FAILURES, LoadBalancerProvider.pickFirst()),
          new Wrapping(LoadBalancerProvider.pickFirst()));

  @ParameterizedTest
  @FieldSource("OF_ONE_ENDPOINT")
  void aChildThatDoesNotDistributeCallsIsNotTracked(LoadBalancerProvider child) {
    LoadBalancer policy = LoadBalancerProvider.outlierDetection(BY_FAILURES, child).create(channel);
    policy.onResolved(FakeChannel.endpoints("a"));
    channel.of("a").becomesReady();
    assertThat(channel.of("a").tracker).isSameAs(CallTracker.NONE);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void aWrappedChildThatDistributesCallsIsTracked() {
    begin(BY_FAILURES, new Wrapping(LoadBalancerProvider.roundRobin()));
    anIntervalWithFailures(100);
    assertThat(isLeftOut("a")).isTrue();
  }

  @Test
  void policiesComposeAsTrees() {
    LoadBalancer policy =
        LoadBalancerProvider.randomSubsetting(
                3,
                LoadBalancerProvider.outlierDetection(
                    BY_FAILURES.with(
                        FailurePercentage.DEFAULT
                            .withThreshold(50)
                            .withMinimumHosts(1)
                            .withRequestVolume(10)),
                    LoadBalancerProvider.leastRequest(2)))
            .create(channel);
    policy.onResolved(FakeChannel.endpoints(FIVE));
    assertThat(channel.made).hasSize(3);
    channel.made.forEach(FakeAddress::becomesReady);
    FakeAddress bad = channel.made.getFirst();
    for (int i = 0; i < 20; i++) {
      bad.serves(Status.INTERNAL, new Metadata());
    }
    channel.advance(Duration.ofSeconds(10));
    String host = FakeChannel.textOf(Pick.use(bad));
    assertThat(channel.picked(50)).doesNotContain(host);
    policy.onResolutionFailed(Status.UNAVAILABLE);
    policy.exitIdle();
    policy.shutdown();
    assertThat(channel.made).allMatch(it -> it.shutDown);
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  @Test
  void onlyTheNewestSubchannelToAnAddressHearsOfAnEjection() {
    OutlierEndpoint endpoint = new OutlierEndpoint();
    List<SubchannelState> heard = new ArrayList<>();
    Subchannel.Listener listener = (subchannel, now) -> heard.add(now);
    for (int i = 0; i < 3; i++) {
      Subchannel made = channel.createSubchannel(Endpoint.of(FakeChannel.at("a")), listener);
      endpoint.watch(listener).onState(made, SubchannelState.READY);
    }
    assertThat(heard).hasSize(3);
    endpoint.eject(0);
    assertThat(heard).hasSize(4);
  }

  @Test
  void clientsUseDifferentSubsetsThatChangeLittle() {
    Set<List<String>> subsets = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      subsets.add(subsetOf(seed, FIVE));
    }
    assertThat(subsets).allMatch(it -> it.size() == 2).hasSizeGreaterThan(5);
    List<String> before = subsetOf(1, FIVE);
    String unused =
        List.of(FIVE).stream().filter(it -> !before.contains(it)).findFirst().orElseThrow();
    String[] fewer = List.of(FIVE).stream().filter(it -> !it.equals(unused)).toArray(String[]::new);
    assertThat(subsetOf(1, fewer)).isEqualTo(before);
    assertThat(subsetOf(1, "a", "b")).hasSize(2);
    assertThatThrownBy(
            () -> LoadBalancerProvider.randomSubsetting(0, LoadBalancerProvider.roundRobin()))
        .hasMessageContaining("random_subsetting");
  }

  private static List<String> subsetOf(long seed, String... hosts) {
    FakeChannel client = new FakeChannel(seed);
    LoadBalancerProvider.randomSubsetting(2, LoadBalancerProvider.roundRobin())
        .create(client)
        .onResolved(FakeChannel.endpoints(hosts));
    return client.made.stream().map(it -> FakeChannel.textOf(Pick.use(it))).sorted().toList();
  }

  @Test
  void settingsAreChecked() {
    OutlierDetectionSettings settings = OutlierDetectionSettings.DEFAULT;
    assertThat(settings.withInterval(Duration.ofSeconds(1)).interval())
        .isEqualTo(Duration.ofSeconds(1));
    assertThatThrownBy(() -> settings.withInterval(Duration.ofNanos(-1)))
        .hasMessageContaining("interval");
    assertThatThrownBy(() -> settings.withEjectionTimes(Duration.ofSeconds(-1), Duration.ZERO))
        .hasMessageContaining("ejection times");
    assertThatThrownBy(() -> settings.withMaxEjectionPercent(101))
        .hasMessageContaining("maxEjectionPercent");
    assertThatThrownBy(() -> FailurePercentage.DEFAULT.withThreshold(-1))
        .hasMessageContaining("threshold");
    assertThatThrownBy(() -> SuccessRate.DEFAULT.withStdevFactor(-1))
        .hasMessageContaining("stdevFactor");
  }
}
