package dev.gannet.client;

import dev.gannet.transport.KeepAliveOptions;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.TransportSettings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a channel has learned from its connections: what servers did wrong, and how often they may
 * be asked for signs of life. Safe for all threads.
 */
final class ConnectionHealth {
  private static final Logger LOG = System.getLogger(ConnectionHealth.class.getName());

  private final String target;
  private final PeerFaults faults;
  private final AtomicReference<TransportSettings> connections;

  ConnectionHealth(ChannelSettings settings) {
    this.target = settings.targetText();
    this.faults = new PeerFaults(settings.transport()::nanoTime);
    this.connections = new AtomicReference<>(settings.connections());
  }

  /** What servers did wrong. */
  PeerFaults faults() {
    return faults;
  }

  /** What the next connection is made with. */
  TransportSettings connections() {
    return connections.get();
  }

  /**
   * The server finds that it was asked too often on a connection with that keepalive: the next ones
   * ask half as often (gRFC A8). It may say the same again and again.
   */
  void onTooManyPings(KeepAliveOptions tooFast) {
    KeepAliveOptions slower = tooFast.doubled();
    TransportSettings now = connections.get();
    if (!slower.equals(tooFast)
        && now.keepAlive().equals(tooFast)
        && connections.compareAndSet(now, now.with(slower))) {
      LOG.log(
          Level.WARNING,
          () ->
              "the server of "
                  + target
                  + " reports too many PINGs (too_many_pings); keepAliveTime is doubled");
    }
  }
}
