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
import dev.gannet.examples.extending.WeightedGroups.Group;
import dev.gannet.testing.FakeSubchannel;
import dev.gannet.testing.PolicyTestbed;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each group of servers gets its share of the calls while it is ready. */
final class WeightedGroupsTest {
  private static final SocketAddress OLD = address("old");
  private static final SocketAddress NEW = address("new");
  private static final Status REFUSED = Status.UNAVAILABLE.withDescription("refused");

  private final PolicyTestbed policy = PolicyTestbed.of(weights(9, 1));

  @AfterEach
  void aPolicyLeavesNothingOpen() {
    policy.close();
    assertThat(policy.subchannels()).allMatch(FakeSubchannel::isShutdown);
  }

  private static SocketAddress address(String host) {
    return InetSocketAddress.createUnresolved(host + ".example", 50_051);
  }

  private static WeightedGroups weights(int ofOld, int ofNew) {
    return new WeightedGroups(
        List.of(
            new Group("old", ofOld, LoadBalancerProvider.roundRobin()),
            new Group("new", ofNew, LoadBalancerProvider.pickFirst())));
  }

  private static Endpoint in(String group, SocketAddress address) {
    return Endpoint.of(address).withAttributes(Attributes.EMPTY.with(WeightedGroups.GROUP, group));
  }

  private void resolvesBoth() {
    policy.resolves(Resolution.of(List.of(in("old", OLD), in("new", NEW))));
  }

  private void bothServe() {
    resolvesBoth();
    policy.subchannel(OLD).becomesReady();
    policy.subchannel(NEW).becomesReady();
  }

  private int callsToNewOf(int calls) {
    return Collections.frequency(policy.addressesOfCalls(calls), NEW);
  }

  @Test
  void callsAreDistributedByWeight() {
    bothServe();
    assertThat(callsToNewOf(1_000)).isBetween(60, 140);
  }

  @Test
  void otherWeightsReachTheRunningPolicy() {
    bothServe();
    assertThat(policy.takes(weights(1, 9))).isTrue();
    resolvesBoth();
    assertThat(policy.subchannels()).hasSize(2);
    assertThat(callsToNewOf(1_000)).isBetween(860, 940);
  }

  @Test
  void theShareOfAGroupThatIsNotReadyGoesToTheOthers() {
    resolvesBoth();
    assertThat(policy.pick()).isInstanceOf(Pick.Queue.class);
    policy.subchannel(NEW).becomesReady();
    assertThat(callsToNewOf(100)).isEqualTo(100);
    policy.subchannel(OLD).becomesReady();
    policy.subchannel(NEW).losesConnection();
    assertThat(callsToNewOf(100)).isZero();
  }

  @Test
  void aGroupConnectsAgainWithoutACall() {
    bothServe();
    policy.subchannel(NEW).losesConnection();
    policy.subchannel(NEW).becomesReady();
    assertThat(callsToNewOf(1_000)).isBetween(60, 140);
  }

  @Test
  void callsFailWhileAllGroupsHaveFailedAlsoIfOneConnectsAgain() {
    resolvesBoth();
    policy.subchannel(NEW).fails(REFUSED);
    policy.subchannel(OLD).fails(REFUSED);
    policy.subchannel(OLD).backoffEnds(); // and it connects again
    assertThat(policy.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(((Pick.Fail) policy.pick()).why().toString()).contains("refused");
    policy.subchannel(OLD).becomesReady();
    assertThat(policy.addressesOfCalls(2)).containsOnly(OLD);
  }

  @Test
  void aTargetWithoutServersFailsCallsForThatReason() {
    policy.failsToResolve(Status.UNAVAILABLE.withDescription("no such name"));
    assertThat(((Pick.Fail) policy.pick()).why().toString()).contains("no such name");
    bothServe();
    policy.resolves();
    assertThat(((Pick.Fail) policy.pick()).why().toString()).contains("found no endpoints");
    bothServe();
    assertThat(policy.addressesOfCalls(20)).contains(OLD);
  }

  @Test
  void aGroupWithoutServersGetsNoCalls() {
    policy.resolves(Resolution.of(List.of(in("new", NEW))));
    policy.subchannel(NEW).becomesReady();
    assertThat(callsToNewOf(10)).isEqualTo(10);
  }

  @Test
  void aServiceConfigHasTheWeights() {
    Map<String, ?> groups =
        Map.of(
            "old",
            Map.of("weight", 9),
            "new",
            Map.of("weight", 1, "childPolicy", LoadBalancerProvider.pickFirst()));
    LoadBalancerProvider unset = weights(1, 1);
    WeightedGroups read =
        (WeightedGroups) unset.configured(PolicyTestbed.config(Map.of("groups", groups)));
    assertThat(read.groups()).containsExactlyInAnyOrderElementsOf(weights(9, 1).groups());
    assertThat(unset.configured(PolicyTestbed.config(Map.of()))).isEqualTo(unset);
    assertThatThrownBy(
            () -> unset.configured(PolicyTestbed.config(Map.of("groups", Map.of("old", Map.of())))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weight");
  }

  @Test
  void weightsArePositiveAndGroupsHaveDifferentNames() {
    Group one = new Group("one", 1, LoadBalancerProvider.pickFirst());
    assertThatThrownBy(() -> new WeightedGroups(List.of(one, one)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Group("none", 0, LoadBalancerProvider.pickFirst()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
