package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.Side;
import dev.gannet.suites.SimulatedConnection;
import dev.gannet.suites.SimulatedNetwork;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import dev.gannet.suites.SimulatedWire;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.http2.Http2Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** HTTP/2 over a simulated network. A {@link Referee} checks each frame. */
final class NetworkStormTransport implements StormTransport {
  private static final String HOST = "192.0.2.1"; // an address, so that no name is looked up
  private static final int FIRST_PORT = 50_051;
  private static final long LARGEST_WINDOW_BYTES = 8 << 20;
  private static final long MAX_TROUBLE_NANOS = 1_000_000_000;

  private final Odds odds;
  private final SimulatedLoop loop;
  private final SimulatedNetwork network;
  private final TransportProvider http2;
  private final Referee referee;
  private final List<SimulatedConnection> lost = new ArrayList<>();

  /**
   * A network without connections.
   *
   * @param seed of the network
   * @param odds of its troubles
   */
  NetworkStormTransport(SimulatedLoop loop, long seed, SimulatedWire wire, Odds odds) {
    this.odds = odds;
    this.loop = loop;
    this.network = new SimulatedNetwork(loop, seed, wire);
    this.http2 = Http2Transport.over(network);
    this.referee = new Referee(loop::nanoTime, LARGEST_WINDOW_BYTES);
    network.setTap(referee);
  }

  @Override
  public SocketAddress addressOf(int place) {
    return new InetSocketAddress(HOST, FIRST_PORT + place);
  }

  @Override
  public ServerBuilder server(int place) {
    return Server.builder(FIRST_PORT + place).plaintext().transport(http2);
  }

  @Override
  public ManagedChannelBuilder channelToFirst() {
    return ManagedChannel.builder(HOST, FIRST_PORT);
  }

  @Override
  public ManagedChannelBuilder applyTo(ManagedChannelBuilder builder) {
    return builder.plaintext().transport(http2);
  }

  @Override
  public List<Trouble> troubles() {
    return Trouble.all();
  }

  @Override
  public void begin(Trouble trouble) {
    switch (trouble) {
      case STALL_ONE -> stallOne();
      case STALL_ALL -> {
        network.stall();
        end(network::resume);
      }
      case STALL_FOREVER -> onSome(this::stallForever);
      case CUT_ALL -> network.cutAll("as planned");
      case CUT_ONE -> onSome(connection -> connection.cut("as planned"));
      case RESET -> onSome(connection -> connection.reset(someSide()));
      case HALF_CLOSE -> onSome(connection -> connection.halfClose(someSide()));
      case REFUSE -> {
        network.setReachability(odds.oneOf(Reachability.values()));
        end(() -> network.setReachability(Reachability.REACHABLE));
      }
      default -> throw new IllegalStateException(trouble + " is not of the network");
    }
  }

  private void stallOne() {
    onSome(connection -> {
      Side side = someSide();
      connection.stall(side);
      end(() -> connection.resume(side));
    });
  }

  private void stallForever(SimulatedConnection connection) {
    lost.add(connection);
    connection.stall(someSide());
  }

  private void onSome(Consumer<SimulatedConnection> trouble) {
    List<SimulatedConnection> all = network.connections();
    if (!all.isEmpty()) {
      trouble.accept(odds.oneOf(all));
    }
  }

  private Side someSide() {
    return odds.oneOf(Side.values());
  }

  private void end(Runnable end) {
    loop.schedule(end, odds.nanosBelow(MAX_TROUBLE_NANOS));
  }

  /** Connections that are stalled forever are reset: somebody pulls the plug. */
  @Override
  public void settle() {
    network.setReachability(Reachability.REACHABLE);
    lost.stream().filter(SimulatedConnection::isOpen).forEach(one -> one.reset(Side.CLIENT));
  }

  @Override
  public boolean isBusy() {
    return network.bytesUnderWay() > 0;
  }

  @Override
  public void checkAtRest() {
    referee.checkAtRest();
  }

  @Override
  public void checkNothingIsLeft() {
    Invariant.holds(network.openConnections() == 0, () -> "a connection is open still");
    Invariant.holds(network.bytesUnderWay() == 0, () -> "bytes are under way still");
    Invariant.holds(
        network.buffersInUse() == 0, () -> network.buffersInUse() + " buffers were not given back");
    referee.checkKept();
  }

  /** The referee's digest covers more: each frame and its time. */
  @Override
  public StormReport report(Map<Status.Code, Integer> ends, long digest) {
    return new StormReport(
        ends, referee.connections(), referee.resets(), referee.goAways(), referee.digest());
  }
}
