package dev.gannet.testing;

import dev.gannet.transport.ConnectionInfo;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Two pipes with a lane each way between them. */
final class SimulatedConnection {
  private static final String CLOSED_HERE = "closed";
  private static final String CLOSED_BY_PEER = "connection closed by peer";

  private final SimulatedLoop loop;
  private final Consumer<SimulatedConnection> onEnd;
  private final End client;
  private final End server;
  private boolean ended;

  SimulatedConnection(
      SimulatedLoop loop,
      Chance chance,
      SocketAddress clientAddress,
      SocketAddress serverAddress,
      Consumer<SimulatedConnection> onEnd) {
    this.loop = loop;
    this.onEnd = onEnd;
    this.client = new End(chance, clientAddress, serverAddress);
    this.server = new End(chance, serverAddress, clientAddress);
    client.other = server;
    server.other = client;
    client.pipe.readsFrom(server.lane);
    server.pipe.readsFrom(client.lane);
  }

  SimulatedPipe clientPipe() {
    return client.pipe;
  }

  SimulatedPipe serverPipe() {
    return server.pipe;
  }

  int bytesUnderWay() {
    return client.lane.bytesUnderWay() + server.lane.bytesUnderWay();
  }

  void stall() {
    client.lane.stall();
    server.lane.stall();
  }

  void resume() {
    client.lane.resume();
    server.lane.resume();
  }

  /** Ends at once and tells both ends so; what is under way is lost. */
  void cut(String why) {
    end(why, why);
  }

  private void end(String clientWords, String serverWords) {
    if (!ended) {
      ended = true;
      client.lane.cut();
      server.lane.cut();
      onEnd.accept(this);
      loop.execute(() -> client.pipe.closed(clientWords));
      loop.execute(() -> server.pipe.closed(serverWords));
    }
  }

  /** One end: its pipe, and the lane that leads away from it. */
  private final class End implements Lane.Ends {
    private final Lane lane;
    private final SimulatedPipe pipe;
    private @Nullable End other;

    End(Chance chance, SocketAddress local, SocketAddress remote) {
      lane = new Lane(loop, chance, this);
      pipe = new SimulatedPipe(loop, new ConnectionInfo(local, remote, Optional.empty()), lane);
    }

    private SimulatedPipe otherPipe() {
      End peer = other;
      if (peer == null) {
        throw new IllegalStateException("the connection has one end only");
      }
      return peer.pipe;
    }

    @Override
    public void arrive(ByteBuffer bytes) {
      otherPipe().deliver(bytes);
    }

    @Override
    public void arrived() {
      otherPipe().deliverBatchEnd();
    }

    @Override
    public void drained() {
      pipe.onDrained();
    }

    @Override
    public void ended() {
      boolean byClient = client.lane.equals(lane);
      end(byClient ? CLOSED_HERE : CLOSED_BY_PEER, byClient ? CLOSED_BY_PEER : CLOSED_HERE);
    }
  }
}
