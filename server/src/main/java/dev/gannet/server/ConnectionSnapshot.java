package dev.gannet.server;

import java.net.SocketAddress;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The state of a connection of a server at one moment. Counts start when the connection is opened,
 * and are 0 if the server {@linkplain ServerBuilder#countCalls does not count}. Immutable; only
 * created by Gannet.
 */
public final class ConnectionSnapshot {
  /** The values. */
  record Values(
      long id,
      SocketAddress localAddress,
      SocketAddress remoteAddress,
      Optional<SSLSession> sslSession,
      CallCounts calls,
      long messagesSent,
      long messagesReceived,
      Optional<Instant> lastMessageSent,
      Optional<Instant> lastMessageReceived) {}

  private final Values values;

  ConnectionSnapshot(Values values) {
    this.values = values;
  }

  /** Its number, which no other connection, server or channel of this process has. */
  public long id() {
    return values.id;
  }

  /** The address on which the server accepted it. */
  public SocketAddress localAddress() {
    return values.localAddress;
  }

  /** The client's address, or that of a proxy in between. */
  public SocketAddress remoteAddress() {
    return values.remoteAddress;
  }

  /** The TLS session, if it is encrypted. */
  public Optional<SSLSession> sslSession() {
    return values.sslSession;
  }

  /** Its calls. */
  public CallCounts calls() {
    return values.calls;
  }

  /** The number of response messages since it was opened. */
  public long messagesSent() {
    return values.messagesSent;
  }

  /** The number of request messages since it was opened. */
  public long messagesReceived() {
    return values.messagesReceived;
  }

  /**
   * The bytes of the sent messages on the network, after compression and without framing; 0 for
   * objects that were passed within the process.
   */
  public long bytesSent() {
    return values.calls.sentBytes();
  }

  /** The bytes of the received messages, counted like {@link #bytesSent}. */
  public long bytesReceived() {
    return values.calls.receivedBytes();
  }

  /** When the last message was sent; empty if none was. */
  public Optional<Instant> lastMessageSent() {
    return values.lastMessageSent;
  }

  /** When the last message was received; empty if none was. */
  public Optional<Instant> lastMessageReceived() {
    return values.lastMessageReceived;
  }

  @Override
  public String toString() {
    return "ConnectionSnapshot" + values.toString().substring("Values".length());
  }
}
