package dev.gannet.transport;

import dev.gannet.api.SecurityLevel;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The addresses of a connection.
 *
 * @param tls the session, where the connection is encrypted
 * @param securityLevel what it protects calls from
 */
public record ConnectionInfo(
    SocketAddress localAddress,
    SocketAddress remoteAddress,
    Optional<SSLSession> tls,
    SecurityLevel securityLevel) {
  /** A connection of a network, which protects calls where it is encrypted. */
  public ConnectionInfo(
      SocketAddress localAddress, SocketAddress remoteAddress, Optional<SSLSession> tls) {
    this(
        localAddress,
        remoteAddress,
        tls,
        tls.isPresent() ? SecurityLevel.PRIVACY_AND_INTEGRITY : SecurityLevel.NONE);
  }
}
