package dev.gannet.transport;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.transport.settings.TransportSettings;
import java.net.SocketAddress;
import java.util.List;

/** Transports that {@code ServiceLoader} finds beside HTTP/2, all with a higher priority. */
public final class FoundTransports {
  private FoundTransports() {}

  /** A transport that can do nothing but be chosen. */
  record Chosen(int priority) implements TransportProvider {
    @Override
    public Connector connector(ChannelCredentials credentials) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Listening listen(
        SocketAddress address,
        ServerCredentials credentials,
        TransportSettings settings,
        Accepting then) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Scheduler scheduler() {
      throw new UnsupportedOperationException();
    }
  }

  /** Makes a transport that is found first. */
  public static final class Low implements TransportFactory {
    @Override
    public List<TransportProvider> createFor(SocketAddress address) {
      return List.of(new Chosen(1_000));
    }
  }

  /** Makes the transport with the highest priority. */
  public static final class High implements TransportFactory {
    @Override
    public List<TransportProvider> createFor(SocketAddress address) {
      return List.of(new Chosen(2_000));
    }
  }

  /** Has what it needs nowhere. */
  public static final class Absent implements TransportFactory {
    @Override
    public List<TransportProvider> createFor(SocketAddress address) {
      return List.of();
    }
  }
}
