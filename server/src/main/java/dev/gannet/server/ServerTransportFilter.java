package dev.gannet.server;

/**
 * Sees the connections of a server open and close, and may refuse them. Added by {@link
 * ServerBuilder#addTransportFilter}; safe for all threads. Called on event loops, so it must not
 * block. For applications to implement; new methods will have a default.
 */
public interface ServerTransportFilter {
  /**
   * A connection is open, including TLS, and its first call follows. If there are several filters,
   * the first one added is asked first.
   *
   * @throws RuntimeException to refuse the connection: it is closed before its first call, and
   *     counted in {@link Server#peerFaults}
   */
  default void onTransportReady(ConnectionContext connection) {}

  /**
   * A connection that {@link #onTransportReady} of this filter has accepted is closed. Exceptions
   * are logged.
   */
  default void onTransportTerminated(ConnectionContext connection) {}
}
