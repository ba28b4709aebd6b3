package dev.gannet.transport.inprocess.spi;

import dev.gannet.transport.TransportFactory;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.inprocess.InProcessAddress;
import dev.gannet.transport.inprocess.InProcessOptions;
import java.net.SocketAddress;
import java.util.List;

/** Makes the in-process transport with its default options. */
public final class InProcessFactory implements TransportFactory {
  /** For {@code ServiceLoader}. */
  public InProcessFactory() {}

  @Override
  public List<TransportProvider> createFor(SocketAddress address) {
    return address instanceof InProcessAddress
        ? List.of((TransportProvider) InProcessOptions.DEFAULT.transport())
        : List.of();
  }
}
