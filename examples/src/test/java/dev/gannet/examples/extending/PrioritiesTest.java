package dev.gannet.examples.extending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.examples.extending.Priorities.Group;
import dev.gannet.testing.FakeSubchannel;
import dev.gannet.testing.PolicyTestbed;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls use the first group of servers that works. */
final class PrioritiesTest {
  private static final SocketAddress NEAR = address("near");
  private static final SocketAddress NEAR_TOO = address("near-too");
  private static final SocketAddress FAR = address("far");
  private static final Status REFUSED = Status.UNAVAILABLE.withDescription("refused");

  private static final Group NEAR_GROUP = new Group("near", LoadBalancerProvider.roundRobin());
  private static final Group FAR_GROUP = new Group("far", LoadBalancerProvider.pickFirst());
  private static final Priorities NEAR_FIRST = new Priorities(List.of(NEAR_GROUP, FAR_GROUP));

  private final PolicyTestbed policy = PolicyTestbed.of(NEAR_FIRST);

  @AfterEach
  void aPolicyLeavesNothingOpen() {
    policy.close();
    assertThat(policy.subchannels()).allMatch(FakeSubchannel::isShutdown);
  }

  private static SocketAddress address(String host) {
    return InetSocketAddress.createUnresolved(host + ".example", 50_051);
  }

  private static Endpoint in(String group, SocketAddress address) {
    return Endpoint.of(address).withAttributes(Attributes.EMPTY.with(Priorities.GROUP, group));
  }

  private void resolvesAll() {
    policy.resolves(Resolution.of(List.of(in("near", NEAR), in("far", FAR), in("near", NEAR_TOO))));
  }

  private void nearFails() {
    policy.subchannel(NEAR).fails(REFUSED);
    policy.subchannel(NEAR_TOO).fails(REFUSED);
  }

  private boolean hasFar() {
    return policy.subchannels().stream()
        .anyMatch(it -> it.address().equals(FAR) && !it.isShutdown());
  }

  @Test
  void callsUseThePreferredGroupAndNoOtherIsConnectedTo() {
    resolvesAll();
    policy.subchannel(NEAR).becomesReady();
    policy.subchannel(NEAR_TOO).becomesReady();
    assertThat(policy.addressesOfCalls(4)).containsOnly(NEAR, NEAR_TOO);
    assertThat(hasFar()).isFalse();
  }

  /** First the far group, and then the near one again. */
  private void bothServe() {
    resolvesAll();
    nearFails();
    policy.subchannel(FAR).becomesReady();
    policy.subchannel(NEAR).backoffEnds();
    policy.subchannel(NEAR).becomesReady();
  }

  @Test
  void theNextGroupServesWhileThePreferredOneFails() {
    resolvesAll();
    nearFails();
    assertThat(policy.pick()).isInstanceOf(Pick.Queue.class); // not the failure of the first
    policy.subchannel(FAR).becomesReady();
    assertThat(policy.addressesOfCalls(2)).containsOnly(FAR);
    policy.subchannel(NEAR).backoffEnds();
    policy.subchannel(NEAR).becomesReady();
    assertThat(policy.addressesOfCalls(2)).containsOnly(NEAR);
  }

  @Test
  void aGroupThatDoesNotConnectWithinTenSecondsIsPassedOver() {
    resolvesAll();
    policy.clock().advance(Duration.ofMillis(9_999));
    assertThat(hasFar()).isFalse();
    policy.clock().advance(Duration.ofMillis(1));
    policy.subchannel(FAR).becomesReady();
    assertThat(policy.addressesOfCalls(1)).containsExactly(FAR);
  }

  private void nearServesForElevenSeconds() {
    resolvesAll();
    policy.subchannel(NEAR).becomesReady();
    policy.subchannel(NEAR_TOO).becomesReady();
    policy.clock().advance(Duration.ofSeconds(11));
  }

  /** The near group connects, and the far one is begun only when 10 s have passed. */
  private void nearHasTenSeconds() {
    assertThat(policy.pick()).isInstanceOf(Pick.Queue.class);
    policy.clock().advance(Duration.ofMillis(9_999));
    assertThat(hasFar()).isFalse();
    policy.clock().advance(Duration.ofMillis(1));
    assertThat(hasFar()).isTrue();
  }

  @Test
  void aGroupThatHasServedHasTenSecondsToReconnect() {
    nearServesForElevenSeconds();
    policy.subchannel(NEAR).losesConnection();
    policy.subchannel(NEAR_TOO).losesConnection();
    nearHasTenSeconds();
  }

  @Test
  void aGroupHasTenSecondsWhenTheTargetHasServersAgain() {
    nearServesForElevenSeconds();
    policy.resolves();
    resolvesAll();
    nearHasTenSeconds();
  }

  @Test
  void aGroupThatWasPassedOverHasItsTurnWhenTheTargetHasServersAgain() {
    resolvesAll();
    policy.clock().advance(Duration.ofSeconds(10));
    policy.subchannel(FAR).becomesReady();
    policy.resolves();
    resolvesAll();
    assertThat(policy.pick()).isInstanceOf(Pick.Queue.class);
    policy.subchannel(NEAR).becomesReady();
    assertThat(policy.addressesOfCalls(1)).containsExactly(NEAR);
  }

  @Test
  void theTenSecondsOfAGroupThatIsNoLongerNeededAreOver() {
    resolvesAll();
    nearFails(); // the far group begins to connect
    policy.clock().advance(Duration.ofSeconds(5));
    policy.subchannel(NEAR).backoffEnds();
    policy.subchannel(NEAR).becomesReady();
    policy.clock().advance(Duration.ofSeconds(6));
    policy.subchannel(NEAR).losesConnection();
    policy.subchannel(NEAR).fails(REFUSED);
    assertThat(policy.pick()).isInstanceOf(Pick.Queue.class); // for the far group
  }

  @Test
  void aGroupThatNewSettingsAddIsUsedIfThoseBeforeHaveFailed() {
    PolicyTestbed one = PolicyTestbed.of(new Priorities(List.of(NEAR_GROUP)));
    Resolution.Resolved both = Resolution.of(List.of(in("near", NEAR), in("far", FAR)));
    one.resolves(both);
    one.subchannel(NEAR).fails(REFUSED);
    assertThat(one.takes(NEAR_FIRST)).isTrue();
    one.resolves(both);
    one.subchannel(FAR).becomesReady();
    assertThat(one.addressesOfCalls(1)).containsExactly(FAR);
    one.close();
  }

  @Test
  void theConnectionsOfAGroupThatIsNoLongerNeededAreKeptForAWhile() {
    bothServe();
    policy.clock().advance(Duration.ofMinutes(14));
    assertThat(hasFar()).isTrue();
    policy.subchannel(NEAR).losesConnection();
    policy.subchannel(NEAR).fails(REFUSED);
    assertThat(policy.addressesOfCalls(1)).containsExactly(FAR); // at once
    policy.subchannel(NEAR).backoffEnds();
    policy.subchannel(NEAR).becomesReady();
    policy.clock().advance(Duration.ofMinutes(15));
    assertThat(hasFar()).isFalse();
  }

  @Test
  void callsFailIfAllGroupsHaveFailed() {
    resolvesAll();
    nearFails();
    policy.subchannel(FAR).fails(REFUSED);
    assertThat(policy.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(policy.pick()).isInstanceOf(Pick.Fail.class);
  }

  @Test
  void aGroupWithoutServersIsPassedOver() {
    policy.resolves(Resolution.of(List.of(in("far", FAR))));
    policy.subchannel(FAR).becomesReady();
    assertThat(policy.addressesOfCalls(1)).containsExactly(FAR);
  }

  @Test
  void aTargetWithoutServersFailsCallsForThatReason() {
    policy.failsToResolve(Status.UNAVAILABLE.withDescription("no such name"));
    assertThat(((Pick.Fail) policy.pick()).why().toString()).contains("no such name");
    resolvesAll();
    policy.subchannel(NEAR).becomesReady();
    policy.resolves();
    assertThat(((Pick.Fail) policy.pick()).why().toString()).contains("found no endpoints");
    assertThat(policy.subchannels()).allMatch(FakeSubchannel::isShutdown);
    resolvesAll();
    policy.subchannel(NEAR).becomesReady();
    assertThat(policy.addressesOfCalls(1)).containsExactly(NEAR);
  }

  @Test
  void anotherOrderReachesTheRunningPolicy() {
    resolvesAll();
    policy.subchannel(NEAR).becomesReady();
    assertThat(policy.takes(new Priorities(List.of(FAR_GROUP, NEAR_GROUP)))).isTrue();
    resolvesAll();
    policy.subchannel(FAR).becomesReady();
    assertThat(policy.addressesOfCalls(2)).containsOnly(FAR);
  }

  @Test
  void aServiceConfigHasTheGroupsInTheirOrder() {
    Map<String, Object> groups = new LinkedHashMap<>();
    groups.put("near", Map.of());
    groups.put("far", Map.of("childPolicy", FAR_GROUP.child()));
    LoadBalancerProvider unset = new Priorities(List.of(FAR_GROUP));
    assertThat(unset.configured(PolicyTestbed.config(Map.of("groups", groups))))
        .isEqualTo(NEAR_FIRST);
    assertThat(unset.configured(PolicyTestbed.config(Map.of()))).isEqualTo(unset);
  }

  @Test
  void groupsHaveDifferentNames() {
    assertThatThrownBy(() -> new Priorities(List.of(FAR_GROUP, FAR_GROUP)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
