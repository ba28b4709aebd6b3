package dev.gannet.resolver.dns;

import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.Target;
import java.net.IDN;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A target of {@code dns}, taken apart and checked.
 *
 * @param host a name in ASCII and lower case, or an IP address
 * @param port of the servers that are looked for
 * @param server the DNS server to query; empty for those of the system
 */
record DnsTarget(String host, int port, Optional<InetSocketAddress> server) {
  private static final int DNS_PORT = 53;
  private static final int MAX_NAME_CHARS = 253; // RFC 1035 §2.3.4, less the dot and length octets
  private static final int MAX_LABEL_CHARS = 63;

  /**
   * Takes a target apart.
   *
   * @throws IllegalArgumentException if a part of it is not what it should be
   */
  static DnsTarget of(Target target) {
    HostPort wanted = HostPort.of(target);
    boolean literal = IpAddresses.parse(wanted.host()).isPresent();
    return new DnsTarget(
        literal ? wanted.host() : ascii(wanted.host(), target), wanted.port(), server(target));
  }

  private static Optional<InetSocketAddress> server(Target target) {
    if (target.authority().isEmpty()) {
      return Optional.empty();
    }
    try {
      HostPort server = HostPort.parse(target.authority(), DNS_PORT);
      Optional<InetAddress> address = IpAddresses.parse(server.host());
      if (address.isPresent() && server.port() > 0) {
        return Optional.of(new InetSocketAddress(address.get(), server.port()));
      }
    } catch (IllegalArgumentException e) {
      throw badServer(target, e);
    }
    throw badServer(target, null);
  }

  private static IllegalArgumentException badServer(Target target, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "not a DNS server (IPv4 address, or [IPv6 address], with :port unless it is 53): '"
            + target.authority()
            + "' in '"
            + target
            + "'",
        cause);
  }

  private static String ascii(String name, Target target) {
    String ascii;
    try {
      ascii = IDN.toASCII(name).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a name for DNS: '" + name + "' in '" + target + "'", e);
    }
    String bare = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
    boolean fits =
        bare.length() <= MAX_NAME_CHARS
            && Arrays.stream(bare.split("\\.", -1)).allMatch(DnsTarget::isLabel);
    if (!fits) {
      throw new IllegalArgumentException(
          "not a name for DNS (labels of 1 to 63 characters, at most 253 in all): '"
              + name
              + "' in '"
              + target
              + "'");
    }
    return ascii;
  }

  private static boolean isLabel(String label) {
    return !label.isEmpty() && label.length() <= MAX_LABEL_CHARS;
  }
}
