package dev.gannet.http2.hpack;

/**
 * Decodes Huffman coded bytes (RFC 7541 §5.2), one symbol per step.
 *
 * <p>The next ten bits select the symbol from a table; the few longer codes are found by their
 * position in the canonical order. One reader belongs to one decoder; it keeps no bytes between
 * calls.
 */
final class HuffmanReader {
  /** Returned by {@link #decode} for bytes that break a rule; {@link #fault} says which. */
  static final int FAILED = -1;

  /**
   * Covers all but a few codes of printable text, and the table fits into the first-level cache.
   */
  private static final int ROOT_BITS = 10;

  /**
   * Symbol in the lowest 9 bits, the bits of its code above; 0 where the code is longer than the
   * root.
   */
  private static final short[] ROOT = new short[1 << ROOT_BITS];

  /** All symbols, ordered by code. */
  private static final short[] ORDERED = new short[HuffmanCode.SYMBOLS];

  /** For each length: the first code past it, moved to the top of {@code MAX_BITS} bits. */
  private static final int[] END = new int[HuffmanCode.MAX_BITS + 1];

  /** For each length: the place in ORDERED less the code, so that adding the code gives place. */
  private static final int[] PLACE = new int[HuffmanCode.MAX_BITS + 1];

  static {
    int place = 0;
    int end = 0;
    for (int bits = 1; bits <= HuffmanCode.MAX_BITS; bits++) {
      int unit = 1 << (HuffmanCode.MAX_BITS - bits);
      PLACE[bits] = place - end / unit;
      for (int symbol = 0; symbol < HuffmanCode.SYMBOLS; symbol++) {
        if (HuffmanCode.bits(symbol) == bits) {
          ORDERED[place++] = (short) symbol;
          end += unit;
          fillRoot(symbol, bits);
        }
      }
      END[bits] = end;
    }
  }

  private HeaderBlockFault fault = HeaderBlockFault.NONE;

  private static void fillRoot(int symbol, int bits) {
    if (bits <= ROOT_BITS) {
      int from = HuffmanCode.code(symbol) << (ROOT_BITS - bits);
      for (int i = 0; i < 1 << (ROOT_BITS - bits); i++) {
        ROOT[from + i] = (short) (bits << 9 | symbol);
      }
    }
  }

  /** The largest number of bytes that this many Huffman coded bytes can decode to. */
  static int mostDecodedBytes(int encodedBytes) {
    return (int) (encodedBytes * 8L / HuffmanCode.MIN_BITS);
  }

  /** The rule the last failed string broke. */
  HeaderBlockFault fault() {
    return fault;
  }

  /**
   * Decodes the bytes from {@code from} up to {@code end} into {@code to}. What does not fit into
   * {@code to} is checked and counted but not stored.
   *
   * @return the number of decoded bytes, stored or not, or {@link #FAILED}
   */
  int decode(byte[] octets, int from, int end, byte[] to) {
    int next = from;
    long pending = 0; // the next bits, at the high end
    int pendingBits = 0;
    int decoded = 0;
    while (true) {
      if (pendingBits < HuffmanCode.MAX_BITS) {
        while (pendingBits <= 56 && next < end) {
          pending |= (octets[next++] & 0xffL) << (56 - pendingBits);
          pendingBits += 8;
        }
      }
      int entry = ROOT[(int) (pending >>> (64 - ROOT_BITS))];
      if (entry == 0) {
        entry = longCode((int) (pending >>> (64 - HuffmanCode.MAX_BITS)));
      }
      int bits = entry >> 9;
      if (bits > pendingBits) {
        return finish(pending, pendingBits, decoded);
      }
      int symbol = entry & 0x1ff;
      if (symbol == HuffmanCode.EOS) {
        return fail(HeaderBlockFault.HUFFMAN_EOS);
      }
      if (decoded < to.length) {
        to[decoded] = (byte) symbol;
      }
      decoded++;
      pending <<= bits;
      pendingBits -= bits;
    }
  }

  private static int longCode(int top) {
    int bits = ROOT_BITS + 1;
    while (top >= END[bits]) {
      bits++;
    }
    int code = top >> (HuffmanCode.MAX_BITS - bits);
    return bits << 9 | ORDERED[PLACE[bits] + code];
  }

  /** No complete code is left: the rest must be the beginning of EOS, shorter than a byte. */
  private int finish(long pending, int pendingBits, int decoded) {
    if (pendingBits > 7) {
      return fail(HeaderBlockFault.HUFFMAN_PADDING_LONG);
    }
    if (pending != ~(-1L >>> pendingBits)) {
      return fail(HeaderBlockFault.HUFFMAN_PADDING_BITS);
    }
    return decoded;
  }

  private int fail(HeaderBlockFault broken) {
    fault = broken;
    return FAILED;
  }
}
