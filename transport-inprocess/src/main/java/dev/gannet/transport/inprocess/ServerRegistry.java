package dev.gannet.transport.inprocess;

import dev.gannet.transport.Listening;
import dev.gannet.transport.TransportProvider.Accepting;
import dev.gannet.transport.settings.TransportSettings;
import java.net.BindException;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The servers by address. Safe for all threads. */
final class ServerRegistry {
  /** The servers of this process, or of this class loader, if several have loaded this class. */
  static final ServerRegistry OF_PROCESS = new ServerRegistry();

  /** A server and its callbacks for connections. */
  record ListeningServer(
      InProcessAddress address,
      Accepting server,
      TransportSettings settings,
      InProcessOptions options,
      ConcurrentMap<SocketAddress, ListeningServer> registered)
      implements Listening {
    @Override
    public void close(Runnable onFree) {
      registered.remove(address, this);
      onFree.run();
    }

    /** Two different servers may have the same values, one after the other. */
    @Override
    public boolean equals(Object other) {
      return other == this;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private final ConcurrentMap<SocketAddress, ListeningServer> byAddress = new ConcurrentHashMap<>();

  private ServerRegistry() {}

  ListeningServer register(
      InProcessAddress address,
      Accepting server,
      TransportSettings settings,
      InProcessOptions options)
      throws BindException {
    ListeningServer listening = new ListeningServer(address, server, settings, options, byAddress);
    if (byAddress.putIfAbsent(address, listening) != null) {
      throw new BindException(
          "address already in use: a server of this process listens at " + address);
    }
    return listening;
  }

  Optional<ListeningServer> find(SocketAddress address) {
    return Optional.ofNullable(byAddress.get(address));
  }
}
