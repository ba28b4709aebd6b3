package dev.gannet.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.gannet.api.Compressor;
import dev.gannet.api.Decompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * The message encoding {@code zstd} (RFC 8878), for both registries of a channel or server:
 *
 * <pre>{@code
 * Server.builder(50051)
 *     .plaintext()
 *     .decompressorRegistry(DecompressorRegistry.DEFAULT.with(ZstdCodec.DEFAULT))
 *     .compressorRegistry(CompressorRegistry.DEFAULT.with(ZstdCodec.DEFAULT));
 * }</pre>
 *
 * <p>Each message is a separate frame that states its length; messages without a length can be
 * read, too. A frame whose window is over 8 MiB is refused with {@code INTERNAL}, as RFC 8878
 * §3.1.1.1.2 recommends: the memory of the window is outside the heap, and no budget counts it.
 *
 * <p>Immutable.
 */
public final class ZstdCodec implements Compressor, Decompressor {
  /** The codec with level 3, Zstandard's own default. */
  public static final ZstdCodec DEFAULT = new ZstdCodec(3);

  private static final int MAX_LEVEL = 22;

  /** From this level on, the window would be larger than the maximum. */
  private static final int LARGE_WINDOW_LEVEL = 20;

  /** The base-2 logarithm of the maximum window. */
  private static final int MAX_WINDOW_LOG = 23;

  private static final int MAX_FRAME_HEADER_BYTES = 18;

  private final int level;

  private ZstdCodec(int level) {
    this.level = level;
  }

  /**
   * The codec with another level of compression.
   *
   * @param level 1 (fast) to 22 (small)
   * @throws IllegalArgumentException if it is not 1 to 22
   */
  public ZstdCodec withLevel(int level) {
    if (level < 1 || level > MAX_LEVEL) {
      throw new IllegalArgumentException("the level must be 1 to " + MAX_LEVEL + ": " + level);
    }
    return new ZstdCodec(level);
  }

  /** The level of compression. */
  public int level() {
    return level;
  }

  @Override
  public String messageEncoding() {
    return "zstd";
  }

  @Override
  public void compress(ByteBuffer message, OutputStream to) throws IOException {
    byte[] plain = octets(message, message.remaining());
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      context.setLevel(level).setContentSize(true);
      if (level >= LARGE_WINDOW_LEVEL && plain.length > 1 << MAX_WINDOW_LOG) {
        context.setWindowLog(MAX_WINDOW_LOG);
      }
      to.write(context.compress(plain));
    }
  }

  @Override
  public InputStream decompress(ByteBuffer message) throws IOException {
    InputStream in = new ByteArrayInputStream(octets(message, message.remaining()));
    return new ZstdInputStreamNoFinalizer(in).setLongMax(MAX_WINDOW_LOG);
  }

  @Override
  public long decompressedBytes(ByteBuffer message) {
    byte[] header = octets(message, Math.min(message.remaining(), MAX_FRAME_HEADER_BYTES));
    long said = Zstd.getFrameContentSize(header, 0, header.length);
    return said < 0 || hasMoreFrames(message) ? UNKNOWN : said;
  }

  /** RFC 8878 §3 allows several frames, of which each states its own length. */
  private static boolean hasMoreFrames(ByteBuffer message) {
    int length = message.remaining();
    long first =
        message.hasArray()
            ? Zstd.findFrameCompressedSize(
                message.array(), message.arrayOffset() + message.position(), length)
            : Zstd.findFrameCompressedSize(octets(message, length));
    return !Zstd.isError(first) && first < length;
  }

  private static byte[] octets(ByteBuffer message, int count) {
    byte[] octets = new byte[count];
    message.get(message.position(), octets);
    return octets;
  }
}
