package dev.gannet.http2.hpack;

/**
 * A place in a header block, and the integers read from there (RFC 7541 §5.1).
 *
 * <p>Once a rule is broken, {@link #fault} stays set: the block is the last one of its connection.
 */
final class BlockReader {
  /** Returned when the block breaks a rule; {@link #fault} says which. */
  static final int FAILED = -1;

  /**
   * More than any limit that could be set, and small enough that sums of lengths fit into an int.
   */
  private static final int MAX_INTEGER = 1 << 28;

  /** An integer has at most five bytes, so its last seven bits are shifted by this much. */
  private static final int LAST_SHIFT = 21;

  private static final byte[] NOTHING = {};

  private byte[] octets = NOTHING;
  private int position;
  private int end;
  private HeaderBlockFault fault = HeaderBlockFault.NONE;

  void start(byte[] block, int from, int length) {
    octets = block;
    position = from;
    end = from + length;
  }

  /** Releases the block, which belongs to the caller. */
  void release() {
    start(NOTHING, 0, 0);
  }

  byte[] octets() {
    return octets;
  }

  int position() {
    return position;
  }

  int remaining() {
    return end - position;
  }

  void skip(int length) {
    position += length;
  }

  /** The next byte, 0 to 255, not consumed; the caller knows that there is one. */
  int peek() {
    return octets[position] & 0xff;
  }

  /** Reads an integer whose first byte is shared with flags; the caller knows that there is one. */
  int integer(int prefixBits) {
    int mask = (1 << prefixBits) - 1;
    int prefix = octets[position++] & mask;
    return prefix < mask ? prefix : continued(mask);
  }

  private int continued(int prefix) {
    int value = prefix;
    for (int shift = 0; shift <= LAST_SHIFT; shift += 7) {
      if (position == end) {
        return fail(HeaderBlockFault.TRUNCATED);
      }
      int octet = octets[position++];
      value += (octet & 0x7f) << shift;
      if (octet >= 0) {
        return value <= MAX_INTEGER ? value : fail(HeaderBlockFault.INTEGER_TOO_LARGE);
      }
    }
    return fail(HeaderBlockFault.INTEGER_TOO_LONG);
  }

  HeaderBlockFault fault() {
    return fault;
  }

  int fail(HeaderBlockFault broken) {
    fault = broken;
    return FAILED;
  }
}
