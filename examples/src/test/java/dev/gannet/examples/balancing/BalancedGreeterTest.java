package dev.gannet.examples.balancing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls go to all servers that are there. */
final class BalancedGreeterTest {
  private static final int CALLS = 300;

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  @Test
  void eachServerHasItsShareOfTheCalls() {
    List<FakeServer> servers =
        Stream.generate(() -> gannet.fake(new MyGreeter())).limit(3).toList();
    try (ManagedChannel channel =
        BalancedGreeter.to(servers.stream().map(FakeServer::address).toList())) {
      GreeterClient greeter = GreeterClient.of(channel).withWaitForReady();
      for (int i = 0; i < CALLS; i++) {
        greeter.sayHello(HelloRequest.getDefaultInstance());
      }
    }
    assertThat(servers)
        .allSatisfy(server ->
            assertThat(server.calls(GreeterMethods.SAY_HELLO)).hasSizeGreaterThan(CALLS / 6));
  }
}
