package dev.gannet.http2.hpack;

/**
 * The Huffman code of RFC 7541 Appendix B.
 *
 * <p>The code is canonical: shorter codes come first, and among codes of one length the smaller
 * symbol does. So the lengths are the whole table, and the codes are counted from them.
 */
final class HuffmanCode {
  /** The symbol that ends a string and must never be sent (RFC 7541 §5.2). */
  static final int EOS = 256;

  static final int SYMBOLS = 257;
  static final int MIN_BITS = 5;
  static final int MAX_BITS = 30;

  /** Bits of each symbol's code, sixteen symbols a line. */
  private static final byte[] LENGTHS = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, // 0x00
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, // 0x10
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, // 0x20
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, // 0x30
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, // 0x40
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, // 0x50
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, // 0x60
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, // 0x70
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, // 0x80
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, // 0x90
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, // 0xa0
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, // 0xb0
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, // 0xc0
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, // 0xd0
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, // 0xe0
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, // 0xf0
    30 // EOS
  };

  private static final int[] CODES = new int[SYMBOLS];

  static {
    int next = 0;
    for (int length = 1; length <= MAX_BITS; length++) {
      next <<= 1;
      for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        if (LENGTHS[symbol] == length) {
          CODES[symbol] = next++;
        }
      }
    }
    if (LENGTHS.length != SYMBOLS || next != 1 << MAX_BITS) {
      throw new AssertionError("the lengths do not make a complete code");
    }
  }

  private HuffmanCode() {}

  static int bits(int symbol) {
    return LENGTHS[symbol];
  }

  /** The code of a symbol, in its lowest {@link #bits} bits. */
  static int code(int symbol) {
    return CODES[symbol];
  }
}
