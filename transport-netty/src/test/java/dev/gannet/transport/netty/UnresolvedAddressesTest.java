package dev.gannet.transport.netty;

import static java.net.InetSocketAddress.createUnresolved;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A channel's addresses may name hosts; these are looked up for each connection. */
@Timeout(60)
final class UnresolvedAddressesTest {
  private static final byte[] MESSAGE = {1, 2, 3};

  private static Server serve() throws Exception {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .add(EchoService.definition())
        .start();
  }

  private static ManagedChannel channelTo(InetSocketAddress address) {
    return ManagedChannel.builder(address).plaintext().build();
  }

  @Test
  void theHostIsLookedUpOutsideEventLoops() throws Exception {
    try (Server server = serve();
        ManagedChannel channel =
            channelTo(createUnresolved("host" + TestNames.SUFFIX, server.port()))) {
      assertThat(Caller.call(channel, MESSAGE)).isEqualTo(Status.OK);
    }
    assertThat(TestNames.ON_LOOPS).hasValue(0);
  }

  @Test
  void anUnknownHostIsNamedInTheStatus() throws Exception {
    try (ManagedChannel channel = channelTo(createUnresolved("nobody.invalid", 1))) {
      Status failed =
          Caller.begin(channel, EchoService.UNARY, MESSAGE, CallOptions.DEFAULT).status();
      assertThat(failed.code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(failed.description().orElseThrow()).contains("unknown host: nobody.invalid");
    }
  }

  @Test
  void aChannelThatIsShutDownDuringTheLookUpTerminatesAtOnce() throws Exception {
    ManagedChannel channel = channelTo(createUnresolved(TestNames.SLOW, 1));
    Caller call = Caller.begin(channel, EchoService.UNARY, MESSAGE);
    TestNames.BEGUN.await();
    try {
      channel.shutdownNow();
      assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(channel.awaitTermination(Duration.ofSeconds(30))).isTrue();
    } finally {
      TestNames.MAY_END.countDown();
    }
  }
}
