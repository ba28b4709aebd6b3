package dev.gannet.protocol;

import static dev.gannet.protocol.MessageSizeLimit.OF_RECEIVED_REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Compressor;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.Decompressor;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Encodings that the application adds, within the bounds of the built-in ones. */
final class AddedEncodingTest {
  private static final int ANY = MessageEncoding.ANY_RATIO;

  /** A message is so many of one byte; whether it says how many is up to the name. */
  private record Repeat(String messageEncoding) implements Compressor, Decompressor {
    @Override
    public void compress(ByteBuffer message, OutputStream to) throws IOException {
      if (message.remaining() == 13) {
        throw new IOException("thirteen");
      }
      if (message.remaining() == 14) {
        throw new IllegalStateException("fourteen");
      }
      ByteBuffer count = ByteBuffer.allocate(4).putInt(0, message.remaining());
      to.write(count.array());
      to.write(message.hasRemaining() ? message.get() : 0);
    }

    @Override
    public InputStream decompress(ByteBuffer message) throws IOException {
      if (message.remaining() != 5) {
        throw new IOException("it has not five bytes");
      }
      return new Repeated(message.getInt(), message.get());
    }

    @Override
    public long decompressedBytes(ByteBuffer message) {
      return switch (messageEncoding) {
        case "saying" -> message.getInt();
        case "lying" -> 10;
        default -> UNKNOWN;
      };
    }
  }

  /** A byte that comes again and again, a few at a time. */
  private static final class Repeated extends InputStream {
    private final byte what;
    private int left;

    Repeated(int left, byte what) {
      this.left = left;
      this.what = what;
    }

    @Override
    public int read() {
      return left-- > 0 ? what & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int some = Math.min(Math.min(left, length), 7);
      Arrays.fill(into, offset, offset + some, what);
      left -= some;
      return some == 0 ? -1 : some;
    }
  }

  private static MessageEncodings both(String name) {
    return MessageEncodings.of(
        CompressorRegistry.DEFAULT.with(new Repeat(name)),
        DecompressorRegistry.DEFAULT.with(new Repeat(name)));
  }

  private static MessageEncoding of(String name) {
    return both(name).read(name).orElseThrow();
  }

  private static ByteBuffer compressed(int count) {
    return ByteBuffer.allocate(5).putInt(count).put((byte) 'a').flip();
  }

  private static ByteBuffer decode(String name, int count, int maxBytes) {
    return of(name)
        .decode(compressed(count), maxBytes, ANY, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
  }

  @ParameterizedTest
  @ValueSource(strings = {"saying", "silent"})
  void aCompressedMessageIsDecodedToTheOriginal(String name) {
    byte[] message = new byte[1000];
    ByteBuffer frame =
        MessageFrame.compressed(
            MessageFrame.frame(Frames.BYTES, message, ArraySource.HEAP), of(name));
    assertThat(frame.get(0)).isEqualTo(MessageFrame.COMPRESSED);
    assertThat(frame.getInt(1)).isEqualTo(5);
    assertThat(MessageFrame.wireBytes(frame)).isEqualTo(5);
    assertThat(MessageFrame.messageBytes(frame, of(name)))
        .isEqualTo(name.equals("saying") ? 1000 : 5);
    ByteBuffer plain =
        of(name).decode(frame.position(5), 1000, ANY, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    assertThat(plain).isEqualTo(ByteBuffer.wrap(message));
  }

  @Test
  void addedDecompressorsAreOfferedAfterTheBuiltInOnes() {
    MessageEncodings some =
        MessageEncodings.of(
            CompressorRegistry.DEFAULT.with(new Repeat("out")),
            DecompressorRegistry.DEFAULT.with(new Repeat("in")).with(new Repeat("b")));
    assertThat(some.accept()).isEqualTo("identity,gzip,in,b");
    assertThat(some.read("in")).isPresent();
    assertThat(some.sent("in")).isEmpty();
    assertThat(some.sent("out")).isPresent();
    assertThat(some.read("out")).isEmpty();
    assertThat(some.responseHeaders(some.sent("out").orElseThrow()).toString()).contains("out");
    assertThat(MessageEncodings.of(CompressorRegistry.DEFAULT, DecompressorRegistry.DEFAULT))
        .isSameAs(MessageEncodings.DEFAULT);
  }

  @Test
  void gzipCanBeRemovedFromEachSide() {
    MessageEncodings unread =
        MessageEncodings.of(
            CompressorRegistry.DEFAULT, DecompressorRegistry.DEFAULT.without("gzip"));
    assertThat(unread.accept()).isEqualTo("identity");
    assertThat(unread.read("gzip")).isEmpty();
    assertThat(unread.sent("gzip")).hasValue(MessageEncoding.GZIP);
    MessageEncodings unsent =
        MessageEncodings.of(
            CompressorRegistry.DEFAULT.without("gzip"), DecompressorRegistry.DEFAULT);
    assertThat(unsent.accept()).isEqualTo("identity,gzip");
    assertThat(unsent.read("gzip")).hasValue(MessageEncoding.GZIP);
    assertThat(unsent.sent("gzip")).isEmpty();
    assertThat(unsent.sentNames()).isEqualTo("identity");
  }

  @Test
  void gzipCanBeReplaced() {
    MessageEncodings own = both("gzip");
    assertThat(own.accept()).isEqualTo("identity,gzip");
    assertThat(own.read("gzip").orElseThrow()).isNotSameAs(MessageEncoding.GZIP);
    assertThat(own.sent("gzip")).isEqualTo(own.read("gzip"));
    MessageEncodings compressed =
        MessageEncodings.of(
            CompressorRegistry.DEFAULT.with(new Repeat("gzip")), DecompressorRegistry.DEFAULT);
    assertThat(compressed.read("gzip")).hasValue(MessageEncoding.GZIP);
    MessageEncoding sent = compressed.sent("gzip").orElseThrow();
    assertThat(sent).isNotSameAs(MessageEncoding.GZIP);
    assertThat(compressed.responseHeaders(sent).toString()).contains("gzip");
  }

  @ParameterizedTest
  @CsvSource({"saying, 100", "silent, 100", "saying, 4096", "silent, 4096"})
  void decompressingStopsAtTheLimit(String name, int maxBytes) {
    assertThat(decode(name, maxBytes, maxBytes).remaining()).isEqualTo(maxBytes);
    assertThatThrownBy(() -> decode(name, maxBytes + 1, maxBytes))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("maxInboundMessageBytes (" + maxBytes + ")");
  }

  @Test
  void aMessageThatExceedsItsStatedLengthIsRefused() {
    assertThat(decode("lying", 10, 1 << 20).remaining()).isEqualTo(10);
    assertThat(of("lying").decodedBytes(compressed(11), 1 << 20)).isEqualTo(10);
    assertThatThrownBy(() -> decode("lying", 11, 1 << 20))
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.INTERNAL))
        .hasMessageContaining("it contains more than it states");
  }

  @Test
  void withoutAStatedLengthAMessageMayGrowTo4KibOr64Times() {
    assertThat(of("silent").decodedBytes(compressed(1), 1 << 20)).isEqualTo(4096);
    assertThat(of("silent").decodedBytes(ByteBuffer.allocate(100), 1 << 20)).isEqualTo(6400);
    assertThat(of("silent").decodedBytes(ByteBuffer.allocate(100), 5000)).isEqualTo(5000);
    assertThat(decode("silent", 4096, 1 << 20).remaining()).isEqualTo(4096);
    assertThatThrownBy(() -> decode("silent", 4097, 1 << 20))
        .hasMessageContaining(
            "more than 64 times its compressed size, and the decompressor states no length"
                + " (Decompressor.decompressedBytes)");
  }

  @Test
  void aMessageThatIsRefusedByItsStatedLengthCostsNoWork() {
    assertThat(of("saying").decodedBytes(compressed(1001), 1000)).isZero();
    assertThat(of("saying").decodedBytes(compressed(1000), 1000)).isEqualTo(1000);
  }

  @Test
  void aRatioBoundsLongMessages() {
    int long5Mib = 5 << 20;
    assertThatThrownBy(() ->
            of("saying")
                .decode(
                    compressed(long5Mib), long5Mib, 100, OF_RECEIVED_REQUESTS, ArraySource.HEAP))
        .hasMessageContaining("maxDecompressionRatio (100)");
  }

  @Test
  void malformedDataEndsTheCallWithInternal() {
    assertThatThrownBy(() ->
            of("silent")
                .decode(ByteBuffer.allocate(4), 100, ANY, OF_RECEIVED_REQUESTS, ArraySource.HEAP))
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.INTERNAL))
        .hasMessageContaining("its silent is malformed");
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 14})
  void aFailedCompressionEndsTheCallWithInternal(int bytes) {
    ByteBuffer frame = MessageFrame.frame(Frames.BYTES, new byte[bytes], ArraySource.HEAP);
    assertThatThrownBy(() -> MessageFrame.compressed(frame, of("saying")))
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.INTERNAL))
        .hasMessageContaining("cannot be compressed with saying");
  }

  @Test
  void compressorsCannotDecompressAndDecompressorsCannotCompress() {
    MessageEncoding sent =
        MessageEncodings.of(
                CompressorRegistry.DEFAULT.with(new Repeat("saying")), DecompressorRegistry.DEFAULT)
            .sent("saying")
            .orElseThrow();
    assertThatThrownBy(() -> sent.decodedBytes(compressed(1), 10))
        .hasMessageContaining("there is no decompressor for saying");
    ByteBuffer frame = MessageFrame.frame(Frames.BYTES, new byte[3], ArraySource.HEAP);
    assertThat(MessageFrame.messageBytes(MessageFrame.compressed(frame, sent), sent)).isEqualTo(5);
    MessageEncoding read =
        MessageEncodings.of(
                CompressorRegistry.DEFAULT, DecompressorRegistry.DEFAULT.with(new Repeat("saying")))
            .read("saying")
            .orElseThrow();
    assertThatThrownBy(() -> MessageFrame.compressed(frame, read))
        .hasMessageContaining("there is no compressor for saying");
  }

  @Test
  void borrowedArraysAreReturnedWhenDecodingFails() {
    CountedArrays arrays = new CountedArrays();
    of("saying").decode(compressed(100_000), 1 << 20, ANY, OF_RECEIVED_REQUESTS, arrays);
    assertThat(arrays.open).isEqualTo(1);
    assertThatThrownBy(
        () -> of("lying").decode(compressed(100_000), 1 << 20, ANY, OF_RECEIVED_REQUESTS, arrays));
    assertThatThrownBy(() ->
        of("silent").decode(ByteBuffer.allocate(4), 1 << 20, ANY, OF_RECEIVED_REQUESTS, arrays));
    assertThat(arrays.open).isEqualTo(1);
  }

  private static final class CountedArrays implements ArraySource {
    private int open;

    @Override
    public byte[] take(int leastBytes) {
      open++;
      return new byte[leastBytes];
    }

    @Override
    public void give(byte[] array) {
      open--;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b", "Zstd", "a b", "identity"})
  void namesThatAreNoTokenOrIdentityAreRefused(String name) {
    assertThatThrownBy(() -> CompressorRegistry.DEFAULT.with(new Repeat(name)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DecompressorRegistry.DEFAULT.with(new Repeat(name)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLastAddedCodecOfANameIsUsed() {
    Repeat second = new Repeat("a");
    assertThat(CompressorRegistry.DEFAULT.with(new Repeat("a")).with(second).added().get("a"))
        .isSameAs(second);
    assertThat(DecompressorRegistry.DEFAULT.with(new Repeat("a")).with(second).added().get("a"))
        .isSameAs(second);
  }
}
