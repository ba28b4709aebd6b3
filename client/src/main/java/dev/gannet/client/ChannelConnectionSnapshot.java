package dev.gannet.client;

import dev.gannet.client.subchannel.ConnectionValues;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLSession;

/** The state of a connection of a channel at one moment. Immutable; only created by Gannet. */
public final class ChannelConnectionSnapshot {
  /** The phase of a connection. */
  public enum Phase {
    /** Open, but the server's SETTINGS have not arrived yet. */
    STARTING,
    /** Accepts calls. */
    READY,
    /** Closing: its calls continue, but it accepts no new ones. */
    DRAINING
  }

  private final ConnectionValues values;

  ChannelConnectionSnapshot(ConnectionValues values) {
    this.values = values;
  }

  /** Its number, which is unique in this process. */
  public long id() {
    return values.id();
  }

  /** The address on this side. */
  public SocketAddress localAddress() {
    return values.localAddress();
  }

  /** The server's address; that of a proxy if the connection goes through one. */
  public SocketAddress remoteAddress() {
    return values.remoteAddress();
  }

  /** The TLS session, if it is encrypted. */
  public Optional<SSLSession> sslSession() {
    return values.sslSession();
  }

  /** Whether it accepts calls. */
  public Phase phase() {
    return switch (values.phase()) {
      case STARTING -> Phase.STARTING;
      case READY -> Phase.READY;
      case DRAINING -> Phase.DRAINING;
    };
  }

  /** The server's limit of concurrent calls; empty for no limit. */
  public OptionalLong maxConcurrentStreams() {
    return values.maxConcurrentStreams();
  }

  /** How many calls wait on it until others end. */
  public int callsWaiting() {
    return values.callsWaiting();
  }

  @Override
  public String toString() {
    return "ChannelConnectionSnapshot" + values.toString().substring("ConnectionValues".length());
  }
}
