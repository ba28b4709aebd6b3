package dev.gannet.transport;

import dev.gannet.api.Status;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import java.net.SocketAddress;

/** A connection that carries calls to a server. Safe for all threads. */
public interface ServerTransport {
  /**
   * The owner of a server's connection, which is notified of events: on any thread, which holds no
   * lock, because the owner runs filters and observers of applications.
   */
  interface Owner {
    /**
     * The peer broke a rule and loses the connection; the text is the same for each fault of a
     * kind.
     */
    void onFault(SocketAddress remote, PeerFault fault, String rule);

    /** As {@link #onFault} with {@link PeerFault#ABUSE}: the peer exceeded this offence's rate. */
    void onAbuse(SocketAddress remote, Offence offence, String rule);

    /**
     * The connection is closed because memory is short; the text says why this connection was
     * chosen.
     */
    void onShed(SocketAddress remote, String why);

    /** As {@link #onShed}, but the connection stays: only its calls are ended. */
    void onCallsShed(SocketAddress remote, String why);

    /** The peer broke a rule and loses a stream; the text is the same for each fault of a kind. */
    void onStreamFault(SocketAddress remote, PeerFault fault, String rule);

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
