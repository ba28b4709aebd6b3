package dev.gannet.resolver.dns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The order in which addresses are tried (RFC 6724 §6): those that can be reached first (rule 1),
 * then by the default policy table (rule 6), then smaller scopes (rule 8); else the server's order
 * stays (rule 10). Rules that look at the source address are left out, as its kind is known from
 * the destination in most networks; so is the longest prefix (rule 9), which would undo the order
 * by which servers spread their clients.
 */
final class AddressSelection {
  private static final int PORT = 53; // any: nothing is sent

  private AddressSelection() {}

  /** In order; those of one name are a few. */
  static List<InetAddress> sorted(List<InetAddress> addresses, Predicate<InetAddress> reachable) {
    List<InetAddress> last = new ArrayList<>(addresses);
    last.removeIf(reachable);
    return addresses.stream()
        .sorted(
            Comparator.<InetAddress>comparingInt(it -> last.contains(it) ? 1 : 0)
                .thenComparingInt(it -> -precedence(it))
                .thenComparingInt(AddressSelection::scope))
        .toList();
  }

  /** Whether the machine has a route to the address and an address of its own for it. */
  static boolean hasRoute(InetAddress address) {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.connect(new InetSocketAddress(address, PORT)); // sends nothing
      return true;
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      return false;
    }
  }

  /** RFC 6724 §2.1. */
  private static int precedence(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (address instanceof Inet4Address) {
      return 35;
    }
    if (address.isLoopbackAddress()) {
      return 50;
    }
    if (startsWith(bytes, 0x20, 0x02)) {
      return 30; // 6to4
    }
    if (startsWith(bytes, 0x20, 0x01, 0, 0)) {
      return 5; // Teredo
    }
    if ((bytes[0] & 0xfe) == 0xfc) {
      return 3; // unique local
    }
    return address.isSiteLocalAddress() || startsWith(bytes, 0x3f, 0xfe) ? 1 : 40;
  }

  private static boolean startsWith(byte[] bytes, int... prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if ((bytes[i] & 0xff) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  /** RFC 6724 §3.1: the scopes of RFC 4291 §2.7; private IPv4 addresses count as global (§3.2). */
  private static int scope(InetAddress address) {
    if (address.isLoopbackAddress() || address.isLinkLocalAddress()) {
      return 0x2;
    }
    return !(address instanceof Inet4Address) && address.isSiteLocalAddress() ? 0x5 : 0xe;
  }
}
