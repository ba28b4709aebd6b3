package dev.gannet.transport.tracing;

import dev.gannet.api.ServerStreamTracer;
import dev.gannet.transport.ConnectionInfo;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** A request as its tracers see it first, with what its connection says about it. */
public interface RequestStart extends ServerStreamTracer.Start {
  /** The connection on which it arrived. */
  ConnectionInfo connection();

  @Override
  default SocketAddress peer() {
    return connection().remoteAddress();
  }

  @Override
  default SocketAddress localAddress() {
    return connection().localAddress();
  }

  @Override
  default Optional<SSLSession> sslSession() {
    return connection().tls();
  }
}
