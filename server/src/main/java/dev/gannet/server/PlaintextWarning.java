package dev.gannet.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/** The warning of a server that other machines can reach without TLS, although nobody said so. */
final class PlaintextWarning {
  private static final Logger LOG = System.getLogger(PlaintextWarning.class.getName());

  private PlaintextWarning() {}

  /** Logs one line if other machines can reach one of these addresses, on which it listens. */
  static void log(List<SocketAddress> addresses) {
    List<InetSocketAddress> reachable =
        addresses.stream()
            .filter(InetSocketAddress.class::isInstance)
            .map(InetSocketAddress.class::cast)
            .filter(PlaintextWarning::isReachable)
            .toList();
    if (!reachable.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "the server listens without TLS on {0}: everybody who can reach it there, or is on the"
              + " path of its traffic, can read and change calls; use ServerBuilder.credentials(...)"
              + " for TLS, or ServerBuilder.plaintext() if this is intended",
          reachable.stream().map(PlaintextWarning::text).collect(Collectors.joining(", ")));
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
