package dev.gannet.transport;

import java.util.stream.Stream;

/**
 * Creates the {@link TransportProvider}s of one module that can work in this process. {@link
 * java.util.ServiceLoader} finds factories; see {@link TransportProvider#find}.
 */
public interface TransportFactory {
  /** The transports; none if something that they need is missing on the class path. */
  Stream<TransportProvider> create();
}
