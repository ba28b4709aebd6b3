package dev.gannet.examples.extending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.testing.PolicyTestbed;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Calls stay in the zone while it has servers. */
final class SameZoneTest {
  private static final SocketAddress NEAR = address("near");
  private static final SocketAddress NEAR_TOO = address("near-too");
  private static final SocketAddress FAR = address("far");

  private static final LoadBalancerProvider IN_ZONE_A =
      new SameZone("a", LoadBalancerProvider.roundRobin());

  private static SocketAddress address(String host) {
    return InetSocketAddress.createUnresolved(host + ".example", 50_051);
  }

  private static Endpoint in(String zone, SocketAddress address) {
    return Endpoint.of(address).withAttributes(Attributes.EMPTY.with(SameZone.ZONE, zone));
  }

  private static Resolution.Resolved allZones() {
    return Resolution.of(List.of(in("a", NEAR), in("b", FAR), in("a", NEAR_TOO)));
  }

  private static void becomeReady(PolicyTestbed policy, SocketAddress... addresses) {
    Stream.of(addresses).forEach(it -> policy.subchannel(it).becomesReady());
  }

  @Test
  void callsGoToTheServersOfTheOwnZone() {
    try (PolicyTestbed policy = PolicyTestbed.of(IN_ZONE_A)) {
      policy.resolves(allZones());
      becomeReady(policy, NEAR, NEAR_TOO);
      assertThat(policy.addressesOfCalls(4)).containsOnly(NEAR, NEAR_TOO);
    }
  }

  @Test
  void withoutServersInTheZoneAllAreUsed() {
    try (PolicyTestbed policy = PolicyTestbed.of(IN_ZONE_A)) {
      policy.resolves(Resolution.of(List.of(in("b", FAR))));
      becomeReady(policy, FAR);
      assertThat(policy.addressesOfCalls(2)).containsOnly(FAR);
    }
  }

  @Test
  void anotherZoneAndAnotherChildReachTheRunningPolicy() {
    try (PolicyTestbed policy = PolicyTestbed.of(IN_ZONE_A)) {
      policy.resolves(allZones());
      becomeReady(policy, NEAR, NEAR_TOO);
      assertThat(policy.takes(new SameZone("b", LoadBalancerProvider.pickFirst()))).isTrue();
      policy.resolves(allZones());
      becomeReady(policy, FAR);
      assertThat(policy.addressesOfCalls(2)).containsOnly(FAR);
    }
  }
}
