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
final class Places {
  /** The servers of this process, or of this class loader, if several have loaded this class. */
  static final Places OF_PROCESS = new Places();

  /** A server and its callbacks for connections. */
  record Place(
      InProcessAddress address,
      Accepting server,
      TransportSettings settings,
      InProcessOptions options,
      ConcurrentMap<SocketAddress, Place> places)
      implements Listening {
    @Override
    public void close() {
      places.remove(address, this);
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

  private final ConcurrentMap<SocketAddress, Place> byAddress = new ConcurrentHashMap<>();

  private Places() {}

  Place take(
      InProcessAddress address,
      Accepting server,
      TransportSettings settings,
      InProcessOptions options)
      throws BindException {
    Place place = new Place(address, server, settings, options, byAddress);
    if (byAddress.putIfAbsent(address, place) != null) {
      throw new BindException(
          "address already in use: a server of this process listens at " + address);
    }
    return place;
  }

  Optional<Place> find(SocketAddress address) {
    return Optional.ofNullable(byAddress.get(address));
  }
}
