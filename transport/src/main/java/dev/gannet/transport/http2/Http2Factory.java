package dev.gannet.transport.http2;

import dev.gannet.transport.TransportFactory;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Makes an HTTP/2 transport over each pipe provider that {@code ServiceLoader} finds. */
public final class Http2Factory implements TransportFactory {
  /** For {@code ServiceLoader}. */
  public Http2Factory() {}

  @Override
  public List<TransportProvider> createFor(SocketAddress address) {
    ClassLoader loader = PipeProvider.class.getClassLoader();
    List<TransportProvider> all = new ArrayList<>();
    for (PipeProvider pipes : ServiceLoader.load(PipeProvider.class, loader)) {
      if (pipes.knows(address)) {
        all.add(Http2Transport.over(pipes));
      }
    }
    return all;
  }
}
