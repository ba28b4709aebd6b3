package dev.gannet.transport;

import dev.gannet.api.Status;

/** A connection that carries calls to a server. Safe for all threads. */
public interface ServerTransport {
  /**
   * The owner of a server's connection, which is notified of events: on any thread, which holds no
   * lock, because the owner runs filters and observers of applications.
   */
  interface Owner {
    /** Where the connection reports the faults of its client. Always the same object. */
    FaultReports faults();

    /** The connection is closed, and all its calls have ended. Called once, and last. */
    void onTerminated(ServerTransport transport);
  }

  /**
   * Accepts no new calls, notifies the client of that, and closes the connection when the running
   * calls have ended. A transport without threads of its own may notify the owner of the end before
   * this returns, so callers hold no lock. May be called again.
   */
  void shutdown();

  /** Ends all calls with this status and closes; otherwise like {@link #shutdown}. */
  void shutdownNow(Status status);
}
