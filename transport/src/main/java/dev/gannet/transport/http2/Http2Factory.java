package dev.gannet.transport.http2;

import dev.gannet.transport.TransportFactory;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.pipe.PipeProvider;
import java.util.Optional;

/** Makes HTTP/2 transports over the pipe provider that {@code ServiceLoader} finds. */
public final class Http2Factory implements TransportFactory {
  /** For {@code ServiceLoader}. */
  public Http2Factory() {}

  @Override
  public Optional<TransportProvider> create() {
    return PipeProvider.find().map(Http2Transport::over);
  }
}
