package dev.gannet.protocol;

import dev.gannet.api.Compressor;
import dev.gannet.api.Decompressor;
import dev.gannet.api.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An encoding that the application has added, for messages that are sent, received, or both. */
final class AddedEncoding implements MessageEncoding {
  /**
   * The limit for a message that does not declare its length: this many times its compressed size.
   */
  private static final int UNSAID_RATIO = 64;

  private static final String UNSAID_TOO_MUCH =
      "it contains more than "
          + UNSAID_RATIO
          + " times its compressed size, and the decompressor states no length"
          + " (Decompressor.decompressedBytes)";

  private static final int UNSAID_BYTES = 4 << 10;
  private static final int ANY_RATIO_BYTES = 4 << 20;
  private static final int MIN_BUFFER_BYTES = 256;
  private static final int EXPECTED_RATIO = 4;

  private final String name;
  private final @Nullable Compressor compressor;
  private final @Nullable Decompressor decompressor;

  AddedEncoding(String name, @Nullable Compressor compressor, @Nullable Decompressor decompressor) {
    this.name = name;
    this.compressor = compressor;
    this.decompressor = decompressor;
  }

  @Override
  public String wireName() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Only called for encodings that {@link MessageEncodings} finds for received messages. */
  private Decompressor decompressor() {
    if (decompressor == null) {
      throw new IllegalStateException("there is no decompressor for " + name);
    }
    return decompressor;
  }

  private static long unsaidBytes(ByteBuffer message) {
    return Math.max(UNSAID_BYTES, (long) message.remaining() * UNSAID_RATIO);
  }

  @Override
  public int decodedBytes(ByteBuffer message, int maxMessageBytes) {
    long said = decompressor().decompressedBytes(message.asReadOnlyBuffer());
    return said < 0
        ? (int) Math.min(maxMessageBytes, unsaidBytes(message))
        : said <= maxMessageBytes ? (int) said : 0;
  }

  @Override
  public ByteBuffer decode(
      ByteBuffer message,
      int maxMessageBytes,
      int maxRatio,
      MessageSizeLimit limit,
      ArraySource arrays) {
    Unzipped unzipped;
    try {
      unzipped = read(message, maxMessageBytes, maxRatio, arrays);
    } catch (IOException | RuntimeException e) {
      throw Status.INTERNAL
          .withDescription("a message cannot be decompressed: its " + name + " is malformed")
          .withCause(e)
          .asException();
    }
    return unzipped.message(maxMessageBytes, maxRatio, limit);
  }

  private Unzipped read(ByteBuffer message, int limitBytes, int maxRatio, ArraySource arrays)
      throws IOException {
    ByteBuffer in = message.asReadOnlyBuffer();
    long fairBytes = Math.max(ANY_RATIO_BYTES, (long) in.remaining() * maxRatio);
    int maxBytes = (int) Math.min(limitBytes, fairBytes);
    long said = decompressor().decompressedBytes(in.duplicate());
    if (said > maxBytes) {
      return new Unzipped.TooLarge(maxBytes);
    }
    long allowedBytes = said < 0 ? unsaidBytes(in) : said;
    int mostBytes = (int) Math.min(maxBytes, allowedBytes);
    byte[] out = arrays.take(bufferBytes((long) in.remaining() * EXPECTED_RATIO, mostBytes));
    boolean whole = false;
    try (InputStream stream = decompressor().decompress(in)) {
      int used = 0;
      int more = 0;
      while (more >= 0 && used <= mostBytes) {
        if (used == out.length) {
          byte[] larger = arrays.take(bufferBytes(out.length * 2L, mostBytes));
          System.arraycopy(out, 0, larger, 0, used);
          arrays.give(out);
          out = larger;
        }
        more = stream.read(out, used, Math.min(out.length, mostBytes + 1) - used);
        used += Math.max(more, 0);
      }
      if (used > mostBytes) {
        return used > maxBytes
            ? new Unzipped.TooLarge(maxBytes)
            : new Unzipped.Broken(said < 0 ? UNSAID_TOO_MUCH : "it contains more than it states");
      }
      whole = true;
      return new Unzipped.Whole(ByteBuffer.wrap(out, 0, used));
    } finally {
      if (!whole) {
        arrays.give(out);
      }
    }
  }

  /** At most one byte more than allowed, so that the first excess byte can be stored. */
  private static int bufferBytes(long wantedBytes, int mostBytes) {
    return (int) Math.min(Math.max(wantedBytes, MIN_BUFFER_BYTES), mostBytes + 1L);
  }

  /** Only called for encodings that {@link MessageEncodings} finds for sent messages. */
  @Override
  public ByteBuffer compress(ByteBuffer frame) {
    if (compressor == null) {
      throw new IllegalStateException("there is no compressor for " + name);
    }
    Output output =
        new Output(MessageFrame.PREFIX_BYTES + frame.remaining() / 2 + MIN_BUFFER_BYTES);
    output.write(new byte[MessageFrame.PREFIX_BYTES], 0, MessageFrame.PREFIX_BYTES);
    try {
      compressor.compress(frame.position(MessageFrame.PREFIX_BYTES).asReadOnlyBuffer(), output);
    } catch (IOException | RuntimeException e) { // a compressor may be a user's
      throw Status.INTERNAL
          .withDescription("the message cannot be compressed with " + name)
          .withCause(e)
          .asException();
    }
    return MessageFrame.withPrefix(output.filled(), MessageFrame.COMPRESSED);
  }

  /** The size by the declared length; if there is none, the compressed size. */
  @Override
  public int messageBytes(ByteBuffer frame) {
    ByteBuffer message = frame.duplicate().position(MessageFrame.PREFIX_BYTES).asReadOnlyBuffer();
    long said = decompressor == null ? -1 : decompressor.decompressedBytes(message);
    return said < 0 || said > Integer.MAX_VALUE ? MessageFrame.wireBytes(frame) : (int) said;
  }

  /** Returns its array without copying it. */
  private static final class Output extends ByteArrayOutputStream {
    Output(int firstBytes) {
      super(firstBytes);
    }

    ByteBuffer filled() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }
}
