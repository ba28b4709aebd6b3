package dev.gannet.transport.memory;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * The owner of connections, as far as an address shows: one IPv4 address, or one IPv6 /64 network,
 * because a single host can use as many addresses of its network as it likes.
 */
final class PeerGroup {
  private PeerGroup() {}

  /** The group of a peer; equal for peers of the same group. */
  static Object of(SocketAddress peer) {
    InetAddress ip = peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
    if (ip instanceof Inet6Address) {
      return ByteBuffer.wrap(ip.getAddress()).getLong(); // the network, a /64
    }
    return ip == null ? peer : ip;
  }
}
