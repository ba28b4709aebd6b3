package dev.gannet.transport.http2;

import dev.gannet.transport.TransportFactory;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.pipe.PipeProvider;
import java.util.stream.Stream;

/** Makes an HTTP/2 transport over each pipe provider that {@code ServiceLoader} finds. */
public final class Http2Factory implements TransportFactory {
  /** For {@code ServiceLoader}. */
  public Http2Factory() {}

  @Override
  public Stream<TransportProvider> create() {
    return PipeProvider.all().map(Http2Transport::over);
  }
}
