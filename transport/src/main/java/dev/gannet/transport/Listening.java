package dev.gannet.transport;

import java.net.SocketAddress;

/** An address at which connections are accepted. Safe for all threads. */
public interface Listening {
  /** The address, with the real port where port 0 was asked for. */
  SocketAddress address();

  /**
   * Accepts no more; connections that are open stay. Blocks until the address is free, except on an
   * event loop.
   */
  void close();
}
