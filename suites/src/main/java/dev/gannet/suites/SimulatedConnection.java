package dev.gannet.suites;

import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.ConnectionInfo;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a {@link SimulatedNetwork}: two pipes with a lane in each direction between them.
 * Its methods simulate failures of the connection; call them on the loop, or while the loop is not
 * running.
 */
public final class SimulatedConnection {
  private static final String CLOSED_BY_PEER = "connection closed by peer";
  private static final String RESET_HERE = "connection aborted";
  private static final String RESET_BY_PEER = "connection reset by peer";

  private final SimulatedNetwork network;
  private final SimulatedLoop loop;
  private final Runnable onServersEnd;
  private final End client;
  private final End server;

  SimulatedConnection(
      SimulatedNetwork network,
      SocketAddress clientAddress,
      SocketAddress serverAddress,
      Runnable onServersEnd) {
    this.network = network;
    this.onServersEnd = onServersEnd;
    this.loop = network.loop();
    this.client = new End(Side.CLIENT, clientAddress, serverAddress);
    this.server = new End(Side.SERVER, serverAddress, clientAddress);
    client.other = server;
    server.other = client;
  }

  SimulatedPipe pipe(Side side) {
    return end(side).pipe;
  }

  private End end(Side side) {
    return side == Side.CLIENT ? client : server;
  }

  /** Whether one of its ends is still open. */
  public boolean isOpen() {
    return !client.pipe.isClosed() || !server.pipe.isClosed();
  }

  /** How many bytes were sent and have neither arrived nor been lost. */
  public int bytesUnderWay() {
    return client.lane.bytesUnderWay() + server.lane.bytesUnderWay();
  }

  /** How many bytes that end has written and not flushed. */
  public int unflushedBytes(Side side) {
    return end(side).pipe.unflushedBytes();
  }

  /** This end stops reading: what is sent to it is kept, up to the wire's capacity. */
  public void stall(Side reader) {
    end(reader.other()).lane.stall();
  }

  /** This end reads again. */
  public void resume(Side reader) {
    end(reader.other()).lane.resume();
  }

  /**
   * Ends what that end sends, after what it has sent already, without its program knowing: what it
   * sends from now on is lost. The other end is told when the end arrives.
   */
  public void halfClose(Side sender) {
    end(sender).lane.sendEnd();
  }

  /**
   * Resets the connection from that end, which is told at once; the other is told a little later.
   * What is on its way is lost.
   */
  public void reset(Side by) {
    End end = end(by);
    end.abort();
    loop.execute(() -> end.pipe.closed(RESET_HERE));
  }

  /** Ends the connection at once and tells both ends; what is on its way is lost. */
  public void cut(String why) {
    cutLanes();
    loop.execute(() -> client.pipe.closed(why));
    loop.execute(() -> server.pipe.closed(why));
  }

  private void cutLanes() {
    client.lane.cut();
    server.lane.cut();
  }

  @Override
  public String toString() {
    return "connection from " + client.pipe.info().localAddress();
  }

  /** One end: its pipe, and the lane that starts at it. */
  private final class End implements Lane.Ends, SimulatedPipe.Wire {
    private final Side side;
    private final Lane lane;
    private final SimulatedPipe pipe;
    private @Nullable End other;

    End(Side side, SocketAddress local, SocketAddress remote) {
      this.side = side;
      lane = new Lane(loop, network.chance(), network.pool(), this);
      ConnectionInfo info = new ConnectionInfo(local, remote);
      pipe = new SimulatedPipe(network, network.host(side), info, this);
    }

    private End other() {
      End peer = other;
      if (peer == null) {
        throw new IllegalStateException("the connection has one end only");
      }
      return peer;
    }

    @Override
    public void arrive(ByteBuffer bytes) {
      SimulatedPipe to = other().pipe;
      if (!to.isClosed()) {
        int from = bytes.position();
        network.tap().onArriving(SimulatedConnection.this, side.other(), bytes);
        to.deliver(bytes.position(from));
      }
    }

    @Override
    public void arrived() {
      other().pipe.deliverBatchEnd();
    }

    @Override
    public void drained() {
      pipe.onDrained();
    }

    @Override
    public void ended() {
      other().pipe.closed(CLOSED_BY_PEER);
    }

    @Override
    public boolean hasRoomBeside(int waitingBytes) {
      return lane.hasRoomBeside(waitingBytes);
    }

    @Override
    public int bytesUnderWay() {
      return lane.bytesUnderWay();
    }

    @Override
    public void send(ByteBuffer filled) {
      int bytes = filled.position();
      network.tap().onSent(SimulatedConnection.this, side, filled.flip());
      lane.send(filled.limit(filled.capacity()).position(bytes));
    }

    @Override
    public void setReading(boolean reading) {
      other().lane.setRead(reading);
    }

    @Override
    public void sendEnd() {
      lane.sendEnd();
    }

    @Override
    public void abort() {
      cutLanes();
      SimulatedPipe peer = other().pipe;
      loop.schedule(() -> peer.closed(RESET_BY_PEER), network.chance().latencyNanos());
    }

    /** A closed socket sends its end and accepts nothing more. */
    @Override
    public void onClosed() {
      network.tap().onClosed(SimulatedConnection.this, side);
      if (side == Side.SERVER) {
        onServersEnd.run();
      }
      lane.sendEnd();
      other().lane.cut();
      if (!isOpen()) {
        network.forget(SimulatedConnection.this);
      }
    }
  }
}
