package dev.gannet.server;

/**
 * Sees the connections of a server come and go, and may refuse them. Added by {@link
 * ServerBuilder#transportFilter}; safe for all threads. Called on event loops, so it must not
 * block.
 */
public interface ServerTransportFilter {
  /**
   * A connection is open, TLS included, and brings its first call next. Of several filters the one
   * that was added first is asked first.
   *
   * @throws RuntimeException so that the connection is closed before its first call, and counted
   *     among {@link Server#peerFaults}
   */
  default void transportReady(ConnectionContext connection) {}

  /**
   * A connection is gone that {@link #transportReady} of this filter has let in. What this throws
   * is logged.
   */
  default void transportTerminated(ConnectionContext connection) {}
}
