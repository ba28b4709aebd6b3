package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.http2.ClientConnection;
import dev.gannet.transport.http2.ServerConnection;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.settings.ConnectionLimits;
import dev.gannet.transport.settings.KeepaliveOptions;
import dev.gannet.transport.settings.TransportSettings;
import io.netty.channel.epoll.EpollChannelOption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** PingPolicy tells the system how long a peer's system may keep silent (gRFC A18). */
final class UserTimeoutTest {
  private static final int SYSTEMS_OWN = 0;

  @BeforeAll
  static void socketsHaveThatOption() {
    assumeTrue(NettyEventLoops.shared().kind().userTimeoutMillis().isPresent(), "epoll");
  }

  private static int userTimeoutMillis(Consumer<Pipe> driver) throws Exception {
    try (SocketPair pair = new SocketPair()) {
      return pair.onLoop(() -> {
        driver.accept(pair.pipe());
        return pair.channel().config().getOption(EpollChannelOption.TCP_USER_TIMEOUT);
      });
    }
  }

  @Test
  void aClientWithKeepaliveSetsItToTheTimeout() throws Exception {
    KeepaliveOptions keepalive =
        KeepaliveOptions.OF_CLIENTS
            .withTime(Duration.ofMinutes(1), Duration.ZERO)
            .withTimeout(Duration.ofSeconds(7));
    ConnectionLimits limits = ConnectionLimits.of(TransportSettings.OF_CLIENTS.with(keepalive));
    assertThat(userTimeoutMillis(pipe -> ClientConnection.over(pipe, limits, new Nobody())))
        .isEqualTo(7_000);
  }

  @Test
  void aClientWithoutKeepaliveLeavesItToTheSystem() throws Exception {
    ConnectionLimits limits = ConnectionLimits.of(TransportSettings.OF_CLIENTS);
    assertThat(userTimeoutMillis(pipe -> ClientConnection.over(pipe, limits, new Nobody())))
        .isEqualTo(SYSTEMS_OWN);
  }

  @Test
  void aServerSetsItToTwentySecondsByItself() throws Exception {
    ConnectionLimits limits = ConnectionLimits.of(TransportSettings.OF_SERVERS);
    assertThat(
            userTimeoutMillis(
                pipe -> ServerConnection.over(pipe, limits, new NoCalls(), new Nobody())))
        .isEqualTo(20_000);
  }

  /** An owner that ignores everything. */
  private record Nobody() implements ClientTransport.Owner, ServerTransport.Owner {
    @Override
    public String authority() {
      return "localhost";
    }

    @Override
    public void onReady() {}

    @Override
    public void onGoingAway(Status why) {}

    @Override
    public void onTooManyPings() {}

    @Override
    public void onTerminated(Status why) {}

    @Override
    public FaultReports faults() {
      return new PeerFaults(System::nanoTime);
    }

    @Override
    public void onTerminated(ServerTransport transport) {}
  }

  /** A server without methods. */
  private record NoCalls() implements ServerCalls {
    @Override
    public Optional<ServerMethod<?, ?>> find(String path) {
      return Optional.empty();
    }

    @Override
    public void onSlowPass() {}
  }
}
