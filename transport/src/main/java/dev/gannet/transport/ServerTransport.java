package dev.gannet.transport;

import dev.gannet.api.Status;

/** A connection that carries calls to a server. Safe for all threads. */
public interface ServerTransport {
  /** Takes no new calls, tells the client so, and closes when those under way have ended. */
  void shutdown();

  /** Ends all calls and closes. */
  void shutdownNow(Status status);
}
