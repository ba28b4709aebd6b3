package dev.gannet.http2.hpack;

/** Huffman codes strings (RFC 7541 §5.2). Stateless. */
final class HuffmanWriter {
  private HuffmanWriter() {}

  /** How many bytes a Latin-1 string takes when it is Huffman coded, including padding. */
  static int encodedBytes(String text) {
    long bits = 0;
    for (int i = 0; i < text.length(); i++) {
      bits += HuffmanCode.bits(text.charAt(i));
    }
    return (int) Math.min(Integer.MAX_VALUE, (bits + 7) >> 3);
  }

  /** Writes a Latin-1 string; {@code to} must have space for {@link #encodedBytes} bytes. */
  static void encode(String text, byte[] to, int at) {
    long pending = 0;
    int pendingBits = 0;
    int next = at;
    for (int i = 0; i < text.length(); i++) {
      char symbol = text.charAt(i);
      int bits = HuffmanCode.bits(symbol);
      pending = pending << bits | HuffmanCode.code(symbol);
      pendingBits += bits;
      while (pendingBits >= 8) {
        pendingBits -= 8;
        to[next++] = (byte) (pending >>> pendingBits);
      }
    }
    if (pendingBits > 0) {
      to[next] = (byte) (pending << (8 - pendingBits) | 0xff >>> pendingBits);
    }
  }
}
