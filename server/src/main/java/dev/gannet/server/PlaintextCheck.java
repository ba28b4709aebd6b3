package dev.gannet.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/** Refuses to serve other machines without TLS unless the user has asked for plaintext. */
final class PlaintextCheck {
  private PlaintextCheck() {}

  /**
   * Checks the addresses of a server for which neither credentials nor plaintext was chosen.
   *
   * @throws IllegalStateException if other machines can reach one of them
   */
  static void check(List<SocketAddress> addresses) {
    List<InetSocketAddress> reachable =
        addresses.stream()
            .filter(InetSocketAddress.class::isInstance)
            .map(InetSocketAddress.class::cast)
            .filter(PlaintextCheck::isReachable)
            .toList();
    if (!reachable.isEmpty()) {
      throw new IllegalStateException(
          "other machines can reach the server on "
              + reachable.stream().map(PlaintextCheck::text).collect(Collectors.joining(", "))
              + ", and its builder does not say whether it uses TLS: call"
              + " ServerBuilder.credentials(...) for TLS, or ServerBuilder.plaintext() if nobody on"
              + " its network can read or change the traffic");
    }
  }

  private static boolean isReachable(InetSocketAddress address) {
    return address.isUnresolved() || !address.getAddress().isLoopbackAddress();
  }

  private static String text(InetSocketAddress address) {
    return host(address) + ":" + address.getPort();
  }

  private static String host(InetSocketAddress address) {
    if (address.isUnresolved()) {
      return address.getHostString();
    }
    InetAddress ip = address.getAddress();
    return ip instanceof Inet6Address ? "[" + ip.getHostAddress() + "]" : ip.getHostAddress();
  }
}
