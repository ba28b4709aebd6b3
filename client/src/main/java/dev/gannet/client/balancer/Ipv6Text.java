package dev.gannet.client.balancer;

import java.net.Inet6Address;
import java.nio.ByteBuffer;
import java.util.StringJoiner;

/** IPv6 addresses as other gRPC libraries write them (RFC 5952): the JDK shortens no zeros. */
final class Ipv6Text {
  private static final int GROUPS = 8;

  private Ipv6Text() {}

  /** The text of an address, with its zone if it has one. */
  static String of(Inet6Address address) {
    int[] groups = new int[GROUPS];
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = Short.toUnsignedInt(bytes.getShort());
    }
    String whole = address.getHostAddress();
    int zone = whole.indexOf('%');
    return shortened(groups) + (zone < 0 ? "" : whole.substring(zone));
  }

  /** Two colons take the place of the longest run of zeros, the first of several. */
  private static String shortened(int[] groups) {
    int from = 0;
    int length = 1; // a single zero is written
    for (int i = 0; i < GROUPS; i++) {
      int run = zerosAt(groups, i);
      if (run > length) {
        from = i;
        length = run;
      }
    }
    return length == 1
        ? joined(groups, 0, GROUPS)
        : joined(groups, 0, from) + "::" + joined(groups, from + length, GROUPS);
  }

  private static int zerosAt(int[] groups, int from) {
    int end = from;
    while (end < GROUPS && groups[end] == 0) {
      end++;
    }
    return end - from;
  }

  private static String joined(int[] groups, int from, int to) {
    StringJoiner text = new StringJoiner(":");
    for (int i = from; i < to; i++) {
      text.add(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
