package dev.gannet.http2.hpack;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The names that lately arrived as literals, so that a name sent again is the same String. */
final class RecentNames {
  /** More names than a service usually speaks of. */
  private static final int SLOTS = 64;

  /** Longer names are rare, and each is a string kept for the connection's life. */
  private static final int MAX_NAME_BYTES = 64;

  private final String[] names = new String[SLOTS];

  RecentNames() {
    Arrays.fill(names, "");
  }

  /** The name made of these octets. */
  String name(byte[] octets, int from, int length) {
    if (length > MAX_NAME_BYTES) {
      return text(octets, from, length);
    }
    int hash = 0;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + octets[from + i];
    }
    int slot = (hash ^ (hash >>> 6) ^ (hash >>> 12)) & (SLOTS - 1);
    String known = names[slot];
    if (!matches(known, octets, from, length)) {
      String name = text(octets, from, length);
      int index = StaticTable.indexOf(name);
      known = index == StaticTable.NONE ? name : StaticTable.name(index);
      names[slot] = known;
    }
    return known;
  }

  private static boolean matches(String name, byte[] octets, int from, int length) {
    if (name.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name.charAt(i) != (octets[from + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  private static String text(byte[] octets, int from, int length) {
    return new String(octets, from, length, StandardCharsets.ISO_8859_1);
  }
}
