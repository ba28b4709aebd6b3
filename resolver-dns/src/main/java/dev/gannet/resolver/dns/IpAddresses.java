package dev.gannet.resolver.dns;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Optional;

/** IP addresses as texts, which nothing is looked up for. */
final class IpAddresses {
  private IpAddresses() {}

  /** The address, with its scope if it names one; empty if the text is a name. */
  static Optional<InetAddress> parse(String text) {
    return Optional.ofNullable(NetUtil.createInetAddressFromIpAddressString(text));
  }
}
