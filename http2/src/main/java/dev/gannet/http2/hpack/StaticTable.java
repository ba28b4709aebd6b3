package dev.gannet.http2.hpack;

import java.util.Arrays;

/** The static table (RFC 7541 Appendix A), and the search for names and fields in it. */
final class StaticTable {
  /** The largest index of this table; the dynamic table follows it. */
  static final int SIZE = 61;

  /** Returned by a search that finds nothing. */
  static final int NONE = 0;

  /** Name and value of each index in order; index 1 comes first. */
  private static final String[] ENTRIES = {
    ":authority", "",
    ":method", "GET",
    ":method", "POST",
    ":path", "/",
    ":path", "/index.html",
    ":scheme", "http",
    ":scheme", "https",
    ":status", "200",
    ":status", "204",
    ":status", "206",
    ":status", "304",
    ":status", "400",
    ":status", "404",
    ":status", "500",
    "accept-charset", "",
    "accept-encoding", "gzip, deflate",
    "accept-language", "",
    "accept-ranges", "",
    "accept", "",
    "access-control-allow-origin", "",
    "age", "",
    "allow", "",
    "authorization", "",
    "cache-control", "",
    "content-disposition", "",
    "content-encoding", "",
    "content-language", "",
    "content-length", "",
    "content-location", "",
    "content-range", "",
    "content-type", "",
    "cookie", "",
    "date", "",
    "etag", "",
    "expect", "",
    "expires", "",
    "from", "",
    "host", "",
    "if-match", "",
    "if-modified-since", "",
    "if-none-match", "",
    "if-range", "",
    "if-unmodified-since", "",
    "last-modified", "",
    "link", "",
    "location", "",
    "max-forwards", "",
    "proxy-authenticate", "",
    "proxy-authorization", "",
    "range", "",
    "referer", "",
    "refresh", "",
    "retry-after", "",
    "server", "",
    "set-cookie", "",
    "strict-transport-security", "",
    "transfer-encoding", "",
    "user-agent", "",
    "vary", "",
    "via", "",
    "www-authenticate", ""
  };

  /** A hash table with open addressing: four slots for each entry keep searches short. */
  private static final int SLOTS = 256;

  private static final byte[] BY_FIELD = new byte[SLOTS];
  private static final byte[] BY_NAME = new byte[SLOTS];

  static {
    if (ENTRIES.length != 2 * SIZE) {
      throw new AssertionError(Arrays.toString(ENTRIES));
    }
    for (int index = SIZE; index > 0; index--) {
      BY_FIELD[fieldSlot(name(index), value(index))] = (byte) index;
      BY_NAME[nameSlot(name(index))] = (byte) index; // the lowest index of a name is stored last
    }
  }

  private StaticTable() {}

  /** The name at an index from 1 to {@link #SIZE}. */
  static String name(int index) {
    return ENTRIES[2 * index - 2];
  }

  /** The value at an index from 1 to {@link #SIZE}. */
  static String value(int index) {
    return ENTRIES[2 * index - 1];
  }

  /** The index of a field, or {@link #NONE}. */
  static int indexOf(String name, String value) {
    return BY_FIELD[fieldSlot(name, value)];
  }

  /** The lowest index of a name, or {@link #NONE}. */
  static int indexOf(String name) {
    return BY_NAME[nameSlot(name)];
  }

  private static int fieldSlot(String name, String value) {
    int slot = first(HeaderField.hash(name, value));
    int index = BY_FIELD[slot];
    while (index != NONE && !(name(index).equals(name) && value(index).equals(value))) {
      slot = (slot + 1) & (SLOTS - 1);
      index = BY_FIELD[slot];
    }
    return slot;
  }

  private static int nameSlot(String name) {
    int slot = first(name.hashCode());
    int index = BY_NAME[slot];
    while (index != NONE && !name(index).equals(name)) {
      slot = (slot + 1) & (SLOTS - 1);
      index = BY_NAME[slot];
    }
    return slot;
  }

  private static int first(int hash) {
    return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SLOTS - 1);
  }
}
