package dev.gannet.transport;

import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The addresses of a connection.
 *
 * @param tls the session, if the connection is encrypted
 */
public record ConnectionInfo(
    SocketAddress localAddress, SocketAddress remoteAddress, Optional<SSLSession> tls) {}
