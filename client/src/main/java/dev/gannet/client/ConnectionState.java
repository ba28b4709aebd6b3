package dev.gannet.client;

import java.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLSession;

/**
 * A connection of a channel at one moment.
 *
 * @param id its number, which nothing else of this process has
 * @param sslSession where it is encrypted
 * @param phase whether it takes calls
 * @param maxConcurrentStreams how many calls its server takes at a time; empty for any number
 * @param callsWaiting how many calls wait on it for others to end
 */
public record ConnectionState(
    long id,
    SocketAddress localAddress,
    SocketAddress remoteAddress,
    Optional<SSLSession> sslSession,
    Phase phase,
    OptionalLong maxConcurrentStreams,
    int callsWaiting) {
  /** Where a connection stands. */
  public enum Phase {
    /** Open, and the server has not said its SETTINGS yet. */
    STARTING,
    /** Takes calls. */
    READY,
    /** Goes away: its calls go on, and it takes no new ones. */
    DRAINING
  }
}
