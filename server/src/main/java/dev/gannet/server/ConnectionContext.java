package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.SecurityLevel;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * A connection of a server, as a {@link ServerTransportFilter} sees it. Safe for all threads,
 * except for {@link #setValue}. Only implemented by Gannet; methods may be added.
 */
public interface ConnectionContext {
  /** The address of this side. */
  SocketAddress localAddress();

  /** The address of the client, or of a proxy before it. */
  SocketAddress remoteAddress();

  /** The TLS session, which contains its cipher suite; empty on a plaintext connection. */
  Optional<SSLSession> sslSession();

  /** The negotiated protocol (ALPN); empty on a plaintext connection. */
  Optional<String> applicationProtocol();

  /** What it protects calls from. */
  SecurityLevel securityLevel();

  /** The certificates that the client has proven to own, its own first; empty if it sent none. */
  default List<Certificate> peerCertificates() {
    try {
      return sslSession().isPresent()
          ? List.of(sslSession().get().getPeerCertificates())
          : List.of();
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  /** The value that was set under the key. */
  <T> Optional<T> value(CallContext.Key<T> key);

  /**
   * Sets a value that each call of this connection sees ({@link CallContext#value}), unless an
   * interceptor sets another one. Only during {@link ServerTransportFilter#onTransportReady}.
   *
   * @throws IllegalStateException if it is called later
   */
  <T> void setValue(CallContext.Key<T> key, T value);
}
