package dev.gannet.transport;

import java.net.SocketAddress;

/** An address at which connections are accepted. Safe for all threads. */
public interface Listening {
  /** The address, with the actual port if port 0 was requested. */
  SocketAddress address();

  /**
   * Stops accepting; open connections stay. Blocks until the address is free, except on an event
   * loop.
   */
  void close();
}
