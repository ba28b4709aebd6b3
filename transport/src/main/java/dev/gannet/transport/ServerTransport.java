package dev.gannet.transport;

import dev.gannet.api.Status;
import java.net.SocketAddress;

/** A connection that carries calls to a server. Safe for all threads. */
public interface ServerTransport {
  /** What a connection tells the server that owns it; on any thread. */
  interface Owner {
    /** The peer broke a rule that costs it the connection; the words are the same each time. */
    void onFault(SocketAddress remote, String fault);

    /** The connection is closed because memory is short; the words say why it is this one. */
    void onShed(SocketAddress remote, String why);

    /** The peer broke a rule that costs it a stream; likewise. */
    void onStreamFault(SocketAddress remote, String fault);

    /** The connection is gone, and all its calls have ended. */
    void onTerminated(ServerTransport transport);
  }

  /** Takes no new calls, tells the client so, and closes when those under way have ended. */
  void shutdown();

  /** Ends all calls and closes. */
  void shutdownNow(Status status);
}
