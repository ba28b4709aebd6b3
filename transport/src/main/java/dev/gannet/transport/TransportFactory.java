package dev.gannet.transport;

import java.net.SocketAddress;
import java.util.List;

/**
 * Creates the {@link TransportProvider}s of one module that can work in this process. {@link
 * java.util.ServiceLoader} finds factories; see {@link TransportProvider#find}.
 */
public interface TransportFactory {
  /**
   * The transports that know such addresses; none if something that they need is missing on the
   * class path. A transport that does not know the address need not be loaded.
   */
  List<TransportProvider> createFor(SocketAddress address);
}
