package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All endpoints in turn; and what every policy does that has a connection to each. */
final class RoundRobinTest {
  private final FakeChannel channel = new FakeChannel();
  private LoadBalancer policy = LoadBalancerProvider.roundRobin().create(channel);

  private void resolves(String... hosts) {
    policy.onResolved(FakeChannel.endpoints(hosts));
  }

  private void allReady(String... hosts) {
    resolves(hosts);
    for (String host : hosts) {
      channel.of(host).becomesReady();
    }
  }

  @Test
  void itConnectsToAllEndpointsAndCallsStartWhenOneIsReady() {
    resolves("a", "b", "c");
    assertThat(channel.made).hasSize(3).allMatch(it -> it.connects == 1);
    assertThat(channel.state()).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(channel.picked()).isEqualTo("wait");
    channel.of("b").becomesReady();
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    assertThat(channel.picked(3)).containsOnly("b");
  }

  @Test
  void oneAddressWithTwoAuthoritiesIsTwoServers() {
    Endpoint one = Endpoint.of(FakeChannel.at("a")).withAuthority("one.example");
    policy.onResolved(Resolution.of(List.of(one, one.withAuthority("two.example"), one)));
    assertThat(channel.made)
        .extracting(it -> it.endpoint().authority().orElseThrow())
        .containsExactly("one.example", "two.example");
  }

  @Test
  void callsGoToTheReadyOnesInTurn() {
    allReady("a", "b", "c");
    List<String> picked = channel.picked(6);
    assertThat(picked.subList(0, 3)).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(picked.subList(3, 6)).isEqualTo(picked.subList(0, 3));
  }

  @Test
  void anEndpointThatFailsIsLeftOutAndTriedAgainWithoutCalls() {
    allReady("a", "b");
    channel.of("a").is(SubchannelState.IDLE); // lost
    assertThat(channel.of("a").connects).isEqualTo(2);
    assertThat(channel.refreshes).isOne();
    assertThat(channel.picked(4)).containsOnly("b");
    channel.of("a").fails("no a");
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    channel.of("a").is(SubchannelState.IDLE); // its backoff is over
    assertThat(channel.of("a").connects).isEqualTo(3);
    channel.of("a").becomesReady();
    assertThat(channel.picked(4)).contains("a", "b");
  }

  @Test
  void whenAllHaveFailedCallsFailUntilOneIsReady() {
    resolves("a", "b");
    channel.of("a").fails("no a");
    assertThat(channel.picked()).isEqualTo("wait");
    channel.of("b").fails("no b");
    assertThat(channel.picked()).isEqualTo("UNAVAILABLE: cannot connect to target: no b");
    channel.of("a").is(SubchannelState.IDLE);
    channel.of("a").is(SubchannelState.CONNECTING);
    assertThat(channel.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    channel.of("a").is(SubchannelState.READY);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void endpointsThatStayKeepTheirConnections() {
    allReady("a", "b");
    resolves("b", "c");
    assertThat(channel.of("a").shutDown).isTrue();
    assertThat(channel.of("b").shutDown).isFalse();
    assertThat(channel.of("b").connects).isOne();
    assertThat(channel.picked(3)).containsOnly("b");
    channel.of("c").becomesReady();
    assertThat(channel.picked(4)).contains("b", "c");
  }

  @Test
  void anEndpointListedTwiceCountsOnce() {
    allReady("a", "a", "b");
    assertThat(channel.made).hasSize(2);
  }

  @Test
  void statesOfOtherEndpointsDoNotDisturbTheOrder() {
    allReady("a", "b");
    int before = channel.states.size();
    resolves("a", "b");
    resolves("a", "b", "c");
    channel.of("c").fails("no c");
    assertThat(channel.states).hasSize(before);
  }

  @Test
  void aFailureToResolveFailsCallsOnlyIfNoEndpointsAreKnown() {
    policy.onResolutionFailed(Status.UNAVAILABLE.withDescription("unknown host"));
    assertThat(channel.picked()).isEqualTo("UNAVAILABLE: cannot connect to target: unknown host");
    allReady("a");
    policy.onResolutionFailed(Status.UNAVAILABLE);
    assertThat(channel.picked()).isEqualTo("a");
    policy.exitIdle();
    policy.shutdown();
    assertThat(channel.of("a").shutDown).isTrue();
  }

  @Test
  void leastRequestPrefersTheEndpointWithFewerCalls() {
    policy = LoadBalancerProvider.leastRequest(10).create(channel);
    allReady("a", "b");
    channel.of("a").begins();
    assertThat(channel.picked(50)).contains("b").filteredOn("a"::equals).hasSizeLessThan(10);
    TrackedCall one = channel.of("b").begins();
    TrackedCall other = channel.of("b").begins();
    assertThat(channel.picked(50)).contains("a").filteredOn("b"::equals).hasSizeLessThan(10);
    one.onEnded(Status.OK, new Metadata());
    other.onEnded(Status.CANCELLED, new Metadata());
    assertThat(channel.picked(50)).contains("b").filteredOn("a"::equals).hasSizeLessThan(10);
  }

  @Test
  void leastRequestChoosesByTheRandomNumbersOfItsChannel() {
    List<String> first = pickedByLeastRequest();
    assertThat(first).contains("a", "b", "c");
    assertThat(pickedByLeastRequest()).isEqualTo(first);
  }

  private static List<String> pickedByLeastRequest() {
    FakeChannel channel = new FakeChannel();
    LoadBalancer policy = LoadBalancerProvider.leastRequest(2).create(channel);
    policy.onResolved(FakeChannel.endpoints("a", "b", "c"));
    List.of("a", "b", "c").forEach(host -> channel.of(host).becomesReady());
    return channel.picked(50);
  }

  @Test
  void leastRequestNeedsAtLeastTwoChoices() {
    assertThatThrownBy(() -> LoadBalancerProvider.leastRequest(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 choices");
    assertThat(LoadBalancerProvider.leastRequest(11)).hasToString("least_request_experimental");
    assertThat(LoadBalancerProvider.roundRobin().policyName()).isEqualTo("round_robin");
  }
}
