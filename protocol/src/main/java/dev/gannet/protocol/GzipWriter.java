package dev.gannet.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Compresses one message into one gzip member (RFC 1952). */
final class GzipWriter {
  /** Magic number, method deflate, no flags, no time, no hint, system unknown (RFC 1952 §2.3). */
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private static final int TRAILER_BYTES = 8;
  private static final int MIN_BUFFER_BYTES = 64;

  private GzipWriter() {}

  /**
   * The message's compressed form after free bytes for a prefix, from position 0 to limit of a heap
   * buffer.
   *
   * @throws IllegalStateException if no array is long enough for it
   */
  static ByteBuffer write(ByteBuffer message, int freeBytesInFront) {
    CRC32 crc = new CRC32();
    crc.update(message.duplicate());
    int sizeBytes = message.remaining();
    byte[] compressed =
        new byte[freeBytesInFront + HEADER.length + sizeBytes / 2 + MIN_BUFFER_BYTES];
    System.arraycopy(HEADER, 0, compressed, freeBytesInFront, HEADER.length);
    int used = freeBytesInFront + HEADER.length;
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(message);
      deflater.finish();
      used += deflater.deflate(compressed, used, compressed.length - used);
      while (!deflater.finished()) {
        compressed = longer(compressed);
        used += deflater.deflate(compressed, used, compressed.length - used);
      }
    } finally {
      deflater.end();
    }
    if (compressed.length - used < TRAILER_BYTES) {
      compressed = longer(compressed);
    }
    return ByteBuffer.wrap(compressed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(used)
        .putInt((int) crc.getValue())
        .putInt(sizeBytes)
        .flip()
        .order(ByteOrder.BIG_ENDIAN);
  }

  private static byte[] longer(byte[] array) {
    if (array.length > MessageFrame.MAX_ARRAY_BYTES - TRAILER_BYTES) {
      throw new IllegalStateException("a message is too large to be compressed");
    }
    return Arrays.copyOf(array, (int) Math.min(array.length * 2L, MessageFrame.MAX_ARRAY_BYTES));
  }
}
