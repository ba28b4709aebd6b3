package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server lets so many connections in, of everybody and of one address. */
final class ConnectionCapsTest {
  private static final Map<PeerFault, Long> ONE_TOO_MANY =
      Map.of(PeerFault.TOO_MANY_CONNECTIONS, 1L);

  private final Simulation simulation = new Simulation().with(Texts.UNARY, new HeldCalls());

  @Test
  void aConnectionOverTheCapIsClosedAtOnce() {
    Server server = Simulation.start(simulation.serverBuilder().maxConnections(1));
    connect(simulation.channel());
    assertThat(simulation.network().openConnections()).isOne();
    MadeCall second = connect(simulation.channel());
    assertThat(second.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(simulation.network().openConnections()).isOne();
    assertThat(server.peerFaults()).isEqualTo(ONE_TOO_MANY);
  }

  @Test
  void aClosedConnectionMakesRoomForAnother() {
    Server server = Simulation.start(simulation.serverBuilder().maxConnections(1));
    ManagedChannel first = simulation.channel();
    connect(first);
    first.shutdownNow();
    simulation.run();
    connect(simulation.channel());
    assertThat(simulation.network().openConnections()).isOne();
    assertThat(server.peerFaults()).isEmpty();
  }

  @Test
  void eachAddressHasItsOwnCap() {
    Server server = Simulation.start(simulation.serverBuilder().maxConnectionsPerAddress(2));
    connect(simulation.channel());
    ManagedChannel second = simulation.channel();
    connect(second);
    assertThat(connect(simulation.channel()).code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(server.peerFaults()).isEqualTo(ONE_TOO_MANY);
    second.shutdownNow();
    simulation.run();
    connect(simulation.channel());
    assertThat(simulation.network().openConnections()).isEqualTo(2);
  }

  @Test
  void aCapThatIsNotPositiveIsRefused() {
    assertThatThrownBy(() -> simulation.serverBuilder().maxConnections(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxConnections");
    assertThatThrownBy(() -> simulation.serverBuilder().maxConnectionsPerAddress(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxConnectionsPerAddress");
  }

  private MadeCall connect(ManagedChannel channel) {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    return call;
  }
}
