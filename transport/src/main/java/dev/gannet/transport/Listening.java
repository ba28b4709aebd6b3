package dev.gannet.transport;

import java.net.SocketAddress;

/** An address at which connections are accepted. Safe for all threads. */
public interface Listening {
  /**
   * Decides which connections are accepted, and learns what becomes of them and of the address.
   * Called on the threads of the connections, which must not hold a lock.
   */
  interface Owner {
    /**
     * Admits a new connection; returns false if it must be closed. Called before the connection
     * costs more than its socket, and before the TLS handshake.
     */
    boolean admit(SocketAddress remote);

    /** An admitted connection did not open; the text is for a log. */
    void onFailed(SocketAddress remote, String why);

    /** An admitted connection is closed, whether it was ever open or not. */
    void onGone(SocketAddress remote);

    /** A connection could not be accepted because file descriptors or memory ran out. */
    void onNotAccepted();

    /**
     * The address does not accept connections any more, although nobody has closed it: its event
     * loop has ended, say, and no other could replace it. Called once, on any thread.
     */
    void onStopped();
  }

  /** The address, with the actual port if port 0 was requested. */
  SocketAddress address();

  /**
   * Begins to stop accepting; open connections stay. Does not wait for an event loop, which may be
   * occupied.
   *
   * @param onFree is run once when another server can have the address: on any thread, which must
   *     not hold a lock, and possibly before this returns. Not if this throws
   */
  void close(Runnable onFree);
}
