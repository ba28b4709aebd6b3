package dev.gannet.conformance.gauntlet.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A header block under construction (RFC 7541 §6), without Huffman. Not thread-safe. */
public final class BlockWriter {
  private static final int INDEXED = 0x80;
  private static final int STORED = 0x40;
  private static final int UNSTORED = 0x00;
  private static final int INDEX_BITS = 7;
  private static final int LENGTH_BITS = 7;

  private final ByteArrayOutputStream octets = new ByteArrayOutputStream();

  /** An empty block. */
  public BlockWriter() {}

  /** A field of the static or dynamic table, by its number. */
  public BlockWriter indexed(int index) {
    return integer(INDEXED, INDEX_BITS, index);
  }

  /** The same field of a table, repeated {@code times} times. */
  public BlockWriter indexed(int index, int times) {
    for (int i = 0; i < times; i++) {
      indexed(index);
    }
    return this;
  }

  /** A field that is added to the dynamic table, where it gets number 62. */
  public BlockWriter stored(String name, String value) {
    octets.write(STORED);
    return text(name).text(value);
  }

  /** A field that is not added to a table. */
  public BlockWriter unstored(String name, String value) {
    octets.write(UNSTORED);
    return text(name).text(value);
  }

  /** Any octets. */
  public BlockWriter raw(int... values) {
    for (int value : values) {
      octets.write(value);
    }
    return this;
  }

  /** The block as written so far. */
  public byte[] bytes() {
    return octets.toByteArray();
  }

  private BlockWriter text(String text) {
    integer(0, LENGTH_BITS, text.length());
    octets.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** RFC 7541 §5.1. */
  private BlockWriter integer(int pattern, int bits, int value) {
    int most = (1 << bits) - 1;
    if (value < most) {
      octets.write(pattern | value);
      return this;
    }
    octets.write(pattern | most);
    int rest = value - most;
    while (rest >= 0x80) {
      octets.write((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    octets.write(rest);
    return this;
  }
}
