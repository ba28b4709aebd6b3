package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.http2.Http2Transport;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import dev.gannet.transport.settings.ConnectionLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** SETTINGS that come in the moment in which an address is given up do not make it ready. */
final class LateSettingsTest {
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  private final Simulation simulation = new Simulation();
  private final SimulatedNetwork network = simulation.network();

  @Test
  void anAddressIsReadyOrFailedButNotBoth() throws IOException {
    network.listen(
        new InetSocketAddress("192.0.2.1", Simulation.PORT),
        ServerCredentials.insecure(),
        pipe -> new Silent());
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .transport(Http2Transport.over(new LatePipes()))
            .transportLimits(limits -> limits.withHandshakeTimeout(Duration.ofMinutes(1)))
            .build();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.advance(Duration.ofSeconds(20));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("no answer from");
    assertThat(network.connectAttempts()).isOne();
    simulation.advance(Duration.ofMinutes(1));
    assertThat(network.openConnections()).isZero();
  }

  /** A server that says nothing. */
  private static final class Silent implements PipeListener {
    @Override
    public void onBytes(ByteBuffer bytes) {
      bytes.position(bytes.limit());
    }

    @Override
    public void onBatchEnd() {}

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {}
  }

  /** Has SETTINGS arrive when a connection is told from outside to close. */
  private final class LatePipes implements PipeProvider {
    @Override
    public Connector connector(ChannelCredentials credentials) {
      Connector connector = network.connector(credentials);
      return (address, serverName, then) -> connector.connect(address, serverName, new Late(then));
    }

    @Override
    public int priority() {
      return network.priority();
    }

    @Override
    public boolean knows(SocketAddress address) {
      return network.knows(address);
    }

    @Override
    public Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then)
        throws IOException {
      return network.listen(address, credentials, then);
    }

    @Override
    public Scheduler scheduler() {
      return network.scheduler();
    }
  }

  private static final class Late implements PipeProvider.Connecting {
    private final PipeProvider.Connecting then;
    private PipeListener client = new Silent();
    private boolean arriving;

    Late(PipeProvider.Connecting then) {
      this.then = then;
    }

    @Override
    public PipeListener onOpen(Pipe pipe) {
      client = then.onOpen(new InterruptedPipe(pipe, this::settingsCome));
      return client;
    }

    private void settingsCome() {
      if (!arriving) { // reading them gives the loop a task, too
        arriving = true;
        client.onBytes(ByteBuffer.wrap(SETTINGS));
        client.onBatchEnd();
        arriving = false;
      }
    }

    @Override
    public void onFailed(String why) {
      then.onFailed(why);
    }

    @Override
    public ConnectionLimits connectionLimits() {
      return then.connectionLimits();
    }
  }
}
