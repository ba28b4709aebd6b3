package dev.gannet.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Whom connections belong to, as far as their address tells: one IPv4 address, or one network of
 * IPv6 addresses, of which a single host has as many as it likes.
 */
final class PeerGroup {
  private PeerGroup() {}

  /** Equal for peers of one group. */
  static Object of(SocketAddress peer) {
    InetAddress ip = peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
    if (ip instanceof Inet6Address) {
      return ByteBuffer.wrap(ip.getAddress()).getLong(); // the network, a /64
    }
    return ip == null ? peer : ip;
  }
}
