package dev.gannet.suites;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A second transport: hands messages over as objects, on one thread and by a virtual clock. It
 * shows that channels and servers know nothing of HTTP/2.
 */
final class DirectTransport implements TransportProvider {
  private final SimulatedLoop loop;
  private final Map<Integer, Accepting> servers = new HashMap<>();
  private final Scheduler scheduler;
  private int connections;

  DirectTransport(SimulatedLoop loop) {
    this.loop = loop;
    this.scheduler = new LoopScheduler(loop);
  }

  /** How many connections were ever opened. */
  int connections() {
    return connections;
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Connector connector(ChannelCredentials credentials) {
    if (!(credentials instanceof ChannelCredentials.Insecure)) {
      throw new IllegalArgumentException("nothing is encrypted here");
    }
    return this::connect;
  }

  private Scheduler.Cancellable connect(
      SocketAddress address, TransportSettings settings, Opening then) {
    return loop.schedule(() -> open(address, then), 0);
  }

  private void open(SocketAddress address, Opening then) {
    Optional<Accepting> server = Optional.ofNullable(servers.get(portOf(address)));
    if (server.isEmpty() || !server.get().admit(address)) {
      then.onNotOpened("connection refused: " + address);
      return;
    }
    ConnectionInfo info = new ConnectionInfo(address, address);
    Optional<Accepted> accepted = server.get().accept(info);
    if (accepted.isEmpty()) {
      server.get().onGone(address);
      then.onNotOpened("connection refused: " + address);
      return;
    }
    connections++;
    DirectConnection opened =
        new DirectConnection(loop, info, then, server.get(), accepted.get().calls());
    accepted.get().onOpened(opened.serverEnd());
    then.onOpened(opened);
    then.onReady();
  }

  @Override
  public Listening listen(
      SocketAddress address,
      ServerCredentials credentials,
      TransportSettings settings,
      Accepting then)
      throws BindException {
    int port = portOf(address);
    if (servers.putIfAbsent(port, then) != null) {
      throw new BindException("address already in use: port " + port);
    }
    return new Place(address, () -> servers.remove(port));
  }

  private record Place(SocketAddress address, Runnable stop) implements Listening {
    @Override
    public void close(Runnable onFree) {
      stop.run();
      onFree.run();
    }
  }

  private static int portOf(SocketAddress address) {
    return ((InetSocketAddress) address).getPort();
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Why a call ends whose connection is shut down. */
  static Status gone(String why) {
    return Status.UNAVAILABLE.withDescription(why);
  }
}
