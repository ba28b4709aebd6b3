package dev.gannet.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts open connections, in total and by address, and admits none above the limits. For all
 * threads.
 */
final class ConnectionCaps {
  static final int UNLIMITED = Integer.MAX_VALUE;

  private final int maxConnections;
  private final int maxConnectionsPerAddress;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<Object, Integer> byAddress = new ConcurrentHashMap<>();

  ConnectionCaps(int maxConnections, int maxConnectionsPerAddress) {
    this.maxConnections = maxConnections;
    this.maxConnectionsPerAddress = maxConnectionsPerAddress;
  }

  /** Counts a new connection; returns false, without counting it, if it exceeds a limit. */
  boolean enter(SocketAddress peer) {
    if (open.incrementAndGet() > maxConnections) {
      open.decrementAndGet();
      return false;
    }
    if (maxConnectionsPerAddress == UNLIMITED) {
      return true;
    }
    int ofAddress = byAddress.merge(keyOf(peer), 1, Integer::sum);
    if (ofAddress > maxConnectionsPerAddress) {
      leave(peer);
      return false;
    }
    return true;
  }

  /** Counts an admitted connection that was closed. */
  void leave(SocketAddress peer) {
    open.decrementAndGet();
    if (maxConnectionsPerAddress != UNLIMITED) {
      byAddress.computeIfPresent(keyOf(peer), (key, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The IP address without the port; other addresses count as they are. */
  private static Object keyOf(SocketAddress peer) {
    InetAddress ip = peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
    return ip == null ? peer : ip;
  }
}
