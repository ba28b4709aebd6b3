package dev.gannet.transport;

import dev.gannet.api.SecurityLevel;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The addresses of a connection.
 *
 * @param tls the session, where the connection is encrypted
 * @param applicationProtocol the protocol that both sides have negotiated (ALPN)
 * @param securityLevel what it protects calls from
 */
public record ConnectionInfo(
    SocketAddress localAddress,
    SocketAddress remoteAddress,
    Optional<SSLSession> tls,
    Optional<String> applicationProtocol,
    SecurityLevel securityLevel) {
  /** A connection of a network without encryption. */
  public ConnectionInfo(SocketAddress localAddress, SocketAddress remoteAddress) {
    this(localAddress, remoteAddress, Optional.empty(), Optional.empty());
  }

  /** A connection of a network, which protects calls where it is encrypted. */
  public ConnectionInfo(
      SocketAddress localAddress,
      SocketAddress remoteAddress,
      Optional<SSLSession> tls,
      Optional<String> applicationProtocol) {
    this(
        localAddress,
        remoteAddress,
        tls,
        applicationProtocol,
        tls.isPresent() ? SecurityLevel.PRIVACY_AND_INTEGRITY : SecurityLevel.NONE);
  }
}
