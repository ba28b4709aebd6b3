package dev.gannet.examples.extending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.PolicyTestbed;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls stay in the zone while it has servers. */
@Timeout(60)
final class SameZoneTest {
  private static final SocketAddress NEAR = address("near");
  private static final SocketAddress NEAR_TOO = address("near-too");
  private static final SocketAddress FAR = address("far");

  private static final LoadBalancerProvider IN_ZONE_A =
      new SameZone("a", LoadBalancerProvider.roundRobin());

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

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

  @Test
  void theProgramMayKnowTheServersAndTheirZones() {
    FakeServer far = gannet.fake(new MyGreeter());
    FakeServer near = gannet.fake(new MyGreeter());
    try (ManagedChannel channel =
        ManagedChannel.builder("greeter.example.com:50051")
            .endpoints(List.of(in("b", far.address()), in("a", near.address())))
            .loadBalancer(IN_ZONE_A)
            .plaintext()
            .build()) {
      GreeterClient.of(channel).sayHello(HelloRequest.getDefaultInstance());
    }
    assertThat(near.calls(GreeterMethods.SAY_HELLO)).hasSize(1);
    assertThat(far.calls(GreeterMethods.SAY_HELLO)).isEmpty();
  }
}
