package dev.gannet.transport;

import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Who is at the two ends of a connection.
 *
 * @param tls the session, where the connection is encrypted
 */
public record ConnectionInfo(
    SocketAddress localAddress, SocketAddress remoteAddress, Optional<SSLSession> tls) {}
