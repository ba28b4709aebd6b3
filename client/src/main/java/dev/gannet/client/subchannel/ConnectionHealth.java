package dev.gannet.client.subchannel;

import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.settings.KeepaliveOptions;
import dev.gannet.transport.settings.TransportSettings;
import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a channel has learned from its connections: faults of servers, and how often they accept
 * PINGs. Safe for all threads.
 */
public final class ConnectionHealth {
  private static final Logger LOG = System.getLogger(ConnectionHealth.class.getName());

  private final String target;
  private final PeerFaults faults;
  private final AtomicReference<TransportSettings> connections;

  public ConnectionHealth(ChannelSettings settings) {
    this.target = settings.targetText();
    this.faults = new PeerFaults(settings.scheduler()::nanoTime);
    this.connections = new AtomicReference<>(settings.connections().settings());
  }

  /** The faults of servers. */
  public PeerFaults faults() {
    return faults;
  }

  /** The settings of the next connection. */
  TransportSettings connections() {
    return connections.get();
  }

  /**
   * The server has received too many PINGs on a connection with this keepalive: new connections
   * send them half as often (gRFC A8). It may be reported several times.
   */
  void onTooManyPings(KeepaliveOptions tooFast) {
    KeepaliveOptions slower = tooFast.doubled();
    TransportSettings now = connections.get();
    if (!slower.equals(tooFast)
        && now.keepalive().equals(tooFast)
        && connections.compareAndSet(now, now.with(slower))) {
      GuardedLog.warn(
          LOG,
          "the server of "
              + target
              + " reports too many PINGs (too_many_pings); keepAliveTime is doubled");
    }
  }
}
