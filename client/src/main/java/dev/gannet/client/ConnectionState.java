package dev.gannet.client;

import java.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLSession;

/**
 * The state of a connection of a channel at one moment.
 *
 * @param id its number, which is unique in this process
 * @param sslSession the TLS session, if it is encrypted
 * @param phase whether it accepts calls
 * @param maxConcurrentStreams the server's limit of concurrent calls; empty for no limit
 * @param callsWaiting how many calls wait on it until others end
 */
public record ConnectionState(
    long id,
    SocketAddress localAddress,
    SocketAddress remoteAddress,
    Optional<SSLSession> sslSession,
    Phase phase,
    OptionalLong maxConcurrentStreams,
    int callsWaiting) {
  /** The phase of a connection. */
  public enum Phase {
    /** Open, but the server's SETTINGS have not arrived yet. */
    STARTING,
    /** Accepts calls. */
    READY,
    /** Closing: its calls continue, but it accepts no new ones. */
    DRAINING
  }
}
