package dev.gannet.client.subchannel;

import java.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLSession;

/**
 * An open connection at one moment, for diagnostics.
 *
 * @param id its number, which is unique in this process
 * @param maxConcurrentStreams the server's limit of concurrent calls; empty for no limit
 * @param callsWaiting how many calls wait on it until others end
 */
public record ConnectionValues(
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
