package dev.gannet.examples.extending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
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
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls of the same user go to the same server, while it works. */
@Timeout(60)
final class StickyByHeaderTest {
  private static final Metadata.Key<String> USER = Metadata.Key.ascii("user");

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  private static Metadata of(String user) {
    Metadata headers = new Metadata();
    headers.set(USER, user);
    return headers;
  }

  @Test
  void aUserHasOneServer() {
    List<FakeServer> servers =
        Stream.generate(() -> gannet.fake(new MyGreeter())).limit(2).toList();
    try (ManagedChannel channel =
        ManagedChannel.builder("greeter.example.com:50051")
            .addresses(servers.stream().map(FakeServer::address).toList())
            .loadBalancer(new StickyByHeader("user"))
            .plaintext()
            .build()) {
      GreeterClient greeter = GreeterClient.of(channel).withWaitForReady();
      for (int i = 0; callsOf(servers).contains(0); i++) { // until both are connected
        greeter.withMetadata(of("user " + i)).sayHello(HelloRequest.getDefaultInstance());
      }
      List<Integer> before = callsOf(servers);
      for (int i = 0; i < 10; i++) {
        greeter.withMetadata(of("ada")).sayHello(HelloRequest.getDefaultInstance());
      }
      List<Integer> after = callsOf(servers);
      assertThat(IntStream.range(0, 2).map(i -> after.get(i) - before.get(i)).sorted())
          .containsExactly(0, 10);
    }
  }

  private static List<Integer> callsOf(List<FakeServer> servers) {
    return servers.stream().map(it -> it.calls(GreeterMethods.SAY_HELLO).size()).toList();
  }

  @Test
  void aServerThatFailsThreeTimesIsAvoidedForAWhile() {
    SocketAddress one = InetSocketAddress.createUnresolved("one.example", 50_051);
    SocketAddress other = InetSocketAddress.createUnresolved("other.example", 50_051);
    try (PolicyTestbed policy =
        PolicyTestbed.of(
            new StickyByHeader("user")
                .configured(PolicyTestbed.config(Map.of("header", "account"))))) {
      policy.resolves(one, other);
      policy.subchannel(one).becomesReady();
      policy.subchannel(other).becomesReady();
      SocketAddress first = endCall(policy, Status.OK);
      for (int i = 0; i < RecentFailures.MANY; i++) {
        assertThat(endCall(policy, Status.UNAVAILABLE)).isEqualTo(first);
      }
      assertThat(endCall(policy, Status.OK)).isNotEqualTo(first);
      policy.clock().advance(RecentFailures.REST);
      assertThat(endCall(policy, Status.OK)).isEqualTo(first);
    }
  }

  @Test
  void anInvalidNameMakesTheServiceConfigInvalid() {
    StickyByHeader sticky = new StickyByHeader("user");
    assertThat(sticky.configured(PolicyTestbed.config(Map.of()))).isEqualTo(sticky);
    assertThatThrownBy(() -> sticky.configured(PolicyTestbed.config(Map.of("header", "user id"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("header is not the name of a header: ");
  }

  private static SocketAddress endCall(PolicyTestbed policy, Status status) {
    Metadata headers = new Metadata();
    headers.set(Metadata.Key.ascii("account"), "ada");
    PolicyTestbed.Call call =
        policy.startCall(GreeterMethods.SAY_HELLO, CallOptions.DEFAULT, headers);
    call.ends(status);
    return call.subchannel().address();
  }
}
