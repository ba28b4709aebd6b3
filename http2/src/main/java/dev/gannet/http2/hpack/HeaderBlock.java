package dev.gannet.http2.hpack;

import java.util.Arrays;

/**
 * A growable byte array that one header block is written into, reused for each block. Belongs to
 * one thread.
 */
public final class HeaderBlock {
  private static final int FIRST_BYTES = 256;

  /**
   * The array kept by {@link #clear} is at most this long: one large block must not take memory for
   * the connection's life.
   */
  private static final int MAX_KEPT_BYTES = 16 << 10;

  /** The longest integer: a length up to 2^31-1 after its prefix. */
  private static final int MAX_INTEGER_BYTES = 6;

  private static final int HUFFMAN_FLAG = 0x80;

  private static final byte[] NONE = {};

  private byte[] octets = NONE;
  private int length;

  /** An empty block. */
  public HeaderBlock() {}

  /** The bytes from 0 to {@link #length()}; another array may replace it at the next write. */
  public byte[] array() {
    return octets;
  }

  /** How many bytes were written. */
  public int length() {
    return length;
  }

  /** Drops the bytes, ready for the next block. */
  public void clear() {
    length = 0;
    if (octets.length > MAX_KEPT_BYTES) {
      octets = NONE;
    }
  }

  void writeOctets(byte[] from, int bytes) {
    reserve(bytes);
    System.arraycopy(from, 0, octets, length, bytes);
    length += bytes;
  }

  /** Writes an integer (RFC 7541 §5.1), {@code flags} above the prefix in its first octet. */
  void writeInteger(int flags, int prefixBits, int value) {
    reserve(MAX_INTEGER_BYTES);
    int mask = (1 << prefixBits) - 1;
    if (value < mask) {
      octets[length++] = (byte) (flags | value);
      return;
    }
    octets[length++] = (byte) (flags | mask);
    int rest = value - mask;
    while (rest > 0x7f) {
      octets[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    octets[length++] = (byte) rest;
  }

  /** Writes a Latin-1 string literal as it is (RFC 7541 §5.2). */
  @SuppressWarnings("deprecation") // drops the high bytes, which are known to be 0: a plain copy
  void writeString(String text) {
    int bytes = text.length();
    writeInteger(0, 7, bytes);
    reserve(bytes);
    text.getBytes(0, bytes, octets, length);
    length += bytes;
  }

  /** Writes a Latin-1 string literal, Huffman coded if that is shorter. */
  void writeShortestString(String text) {
    int bytes = HuffmanWriter.encodedBytes(text);
    if (bytes >= text.length()) {
      writeString(text);
      return;
    }
    writeInteger(HUFFMAN_FLAG, 7, bytes);
    reserve(bytes);
    HuffmanWriter.encode(text, octets, length);
    length += bytes;
  }

  private void reserve(int bytes) {
    int needed = Math.addExact(length, bytes);
    if (needed > octets.length) {
      long doubled = Math.clamp(2L * octets.length, FIRST_BYTES, 1 << 30);
      octets = Arrays.copyOf(octets, (int) Math.max(needed, doubled));
    }
  }
}
