package dev.gannet.client;

import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.SocketAddress;

/** Opens connections that carry calls. Safe for all threads. */
interface TransportConnector {
  /** Who wants a connection, and is told of it until it is gone. */
  interface Opening extends ClientTransport.Owner {
    /** The connection is open; it carries calls once it is ready. */
    void onOpened(ClientTransport transport);

    /** None will be opened; the text is for a status. */
    void onNotOpened(String why);
  }

  /**
   * Opens a connection in the background. Exactly one of {@code onOpened} and {@code onNotOpened}
   * is told, before this returns or later.
   *
   * @return takes it back: a connection that is not open yet will not be, and {@code onNotOpened}
   *     tells when that is sure
   */
  PipeProvider.Cancellable connect(SocketAddress address, ConnectionLimits limits, Opening then);
}
