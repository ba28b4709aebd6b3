package dev.gannet.http2.hpack;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The names that recently arrived as literals, so that a name that is sent again becomes the same
 * String.
 */
final class RecentNames {
  /** More names than a service usually uses. */
  private static final int SLOT_BITS = 6;

  /** Longer names are rare, and each is a string kept for the connection's life. */
  private static final int MAX_NAME_BYTES = 64;

  private static final byte[] NOTHING = {};

  private final String[] names = new String[1 << SLOT_BITS];
  private final byte[][] known = new byte[1 << SLOT_BITS][];

  RecentNames() {
    Arrays.fill(names, "");
    Arrays.fill(known, NOTHING);
  }

  /** The name made of these bytes. */
  String name(byte[] octets, int from, int length) {
    if (length > MAX_NAME_BYTES) {
      return text(octets, from, length);
    }
    int slot = (int) (OctetHash.of(0, octets, from, length) >>> (Long.SIZE - SLOT_BITS));
    byte[] there = known[slot];
    if (!Arrays.equals(octets, from, from + length, there, 0, there.length)) {
      String name = text(octets, from, length);
      int index = StaticTable.indexOf(name);
      names[slot] = index == StaticTable.NONE ? name : StaticTable.name(index);
      known[slot] = Arrays.copyOfRange(octets, from, from + length);
    }
    return names[slot];
  }

  private static String text(byte[] octets, int from, int length) {
    return new String(octets, from, length, StandardCharsets.ISO_8859_1);
  }
}
