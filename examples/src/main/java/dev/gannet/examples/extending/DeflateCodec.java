package dev.gannet.examples.extending;

import dev.gannet.api.Compressor;
import dev.gannet.api.Decompressor;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.Deflater;
import java.util.zip.InflaterInputStream;

/**
 * A message encoding: four bytes with the length of the message, and the message as zlib (RFC
 * 1950). For both registries of a channel and of a server.
 *
 * <p>Because of the length, {@link #decompressedBytes} can answer without decompressing. A message
 * may then have any size that the receiver allows; without it, at most 64 times its compressed
 * size. The length makes this an encoding of our own, so it must not be called {@code deflate}:
 * other implementations would not understand it.
 */
public record DeflateCodec() implements Compressor, Decompressor {
  private static final int BUFFER_BYTES = 8 << 10;

  @Override
  public String messageEncoding() {
    return "deflate-with-length";
  }

  @Override
  public void compress(ByteBuffer message, OutputStream to) throws IOException {
    to.write(ByteBuffer.allocate(Integer.BYTES).putInt(message.remaining()).array());
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(message.duplicate());
      deflater.finish();
      byte[] buffer = new byte[BUFFER_BYTES];
      while (!deflater.finished()) {
        to.write(buffer, 0, deflater.deflate(buffer));
      }
    } finally {
      deflater.end(); // frees native memory
    }
  }

  /** Gannet reads the stream, at most to the stated length, and closes it. */
  @Override
  public InputStream decompress(ByteBuffer message) throws IOException {
    if (message.remaining() < Integer.BYTES) {
      throw new EOFException("the message has no length");
    }
    byte[] compressed = new byte[message.remaining() - Integer.BYTES];
    message.get(message.position() + Integer.BYTES, compressed);
    return new InflaterInputStream(new ByteArrayInputStream(compressed));
  }

  /** What the sender claims: {@code decompress} does not allocate by it. */
  @Override
  public long decompressedBytes(ByteBuffer message) {
    return message.remaining() < Integer.BYTES
        ? UNKNOWN
        : Integer.toUnsignedLong(message.getInt(message.position()));
  }
}
