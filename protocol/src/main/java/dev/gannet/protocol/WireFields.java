package dev.gannet.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes the fields of small Protocol Buffers messages, for modules that do not depend on
 * the library.
 */
public final class WireFields {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  static final int FIXED32 = 5;

  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = 7;

  private WireFields() {}

  /** The bytes are not a valid message. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed() {
      super("malformed", null, false, false);
    }
  }

  /** Writes a number, unless it is 0. */
  public static void writeVarint(ByteArrayOutputStream out, int field, long value) {
    if (value != 0) {
      writeVarint(out, tag(field, VARINT));
      writeVarint(out, value);
    }
  }

  /** Writes text, bytes, or an embedded message. */
  public static void writeBytes(ByteArrayOutputStream out, int field, byte[] bytes) {
    writeVarint(out, tag(field, BYTES));
    writeVarint(out, bytes.length);
    out.writeBytes(bytes);
  }

  /** Writes a text, unless it is empty. */
  public static void writeText(ByteArrayOutputStream out, int field, String text) {
    if (!text.isEmpty()) {
      writeBytes(out, field, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Writes a double, unless it is 0. */
  static void writeDouble(ByteArrayOutputStream out, int field, double value) {
    if (value != 0) {
      writeVarint(out, tag(field, FIXED64));
      ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      out.writeBytes(bytes.putDouble(value).array());
    }
  }

  private static long tag(int field, int type) {
    return ((long) field << TYPE_BITS) | type;
  }

  private static void writeVarint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /**
   * The number in that field of the message; 0 if the message does not have it.
   *
   * @throws IllegalArgumentException if the message is malformed
   */
  public static long varintIn(byte[] message, int field) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    long found = 0;
    try {
      while (in.hasRemaining()) {
        long tag = varint(in);
        if (tag == tag(field, VARINT)) {
          found = varint(in);
        } else {
          pass(in, typeOf(tag));
        }
      }
    } catch (Malformed e) {
      throw new IllegalArgumentException("not a Protocol Buffers message", e);
    }
    return found;
  }

  static int typeOf(long tag) {
    return (int) (tag & TYPE_MASK);
  }

  static long fieldOf(long tag) {
    return tag >>> TYPE_BITS;
  }

  /** Skips the field whose tag was just read. */
  static void pass(ByteBuffer in, int type) throws Malformed {
    switch (type) {
      case VARINT -> varint(in);
      case FIXED64 -> taken(in, Long.BYTES);
      case BYTES -> taken(in, varint(in));
      case FIXED32 -> taken(in, Integer.BYTES);
      default -> throw new Malformed();
    }
  }

  /** Takes this many bytes from the buffer. */
  static ByteBuffer taken(ByteBuffer in, long length) throws Malformed {
    if (length < 0 || length > in.remaining()) {
      throw new Malformed();
    }
    ByteBuffer part = in.slice(in.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + (int) length);
    return part;
  }

  static long varint(ByteBuffer in) throws Malformed {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && in.hasRemaining(); shift += 7) {
      byte next = in.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new Malformed();
  }
}
