package dev.gannet.transport.inprocess.spi;

import dev.gannet.transport.TransportFactory;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.inprocess.InProcessOptions;
import java.util.stream.Stream;

/** Makes the in-process transport with its default options. */
public final class InProcessFactory implements TransportFactory {
  /** For {@code ServiceLoader}. */
  public InProcessFactory() {}

  @Override
  public Stream<TransportProvider> create() {
    return Stream.of((TransportProvider) InProcessOptions.DEFAULT.transport());
  }
}
