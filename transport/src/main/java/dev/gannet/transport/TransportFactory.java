package dev.gannet.transport;

import java.util.Optional;

/**
 * Creates a {@link TransportProvider} if it can work in this process. {@link
 * java.util.ServiceLoader} finds factories; see {@link TransportProvider#find}.
 */
public interface TransportFactory {
  /** A transport; empty if something that it needs is missing on the class path. */
  Optional<TransportProvider> create();
}
