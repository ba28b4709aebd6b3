package dev.gannet.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.gannet.api.Decompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as Zstandard frames. */
final class ZstdCodecTest {
  private static byte[] compressed(byte[] plain, int level) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ZstdCodec.DEFAULT.withLevel(level).compress(ByteBuffer.wrap(plain).asReadOnlyBuffer(), out);
    return out.toByteArray();
  }

  private static byte[] plain(byte[] compressed) throws IOException {
    try (InputStream in = ZstdCodec.DEFAULT.decompress(ByteBuffer.wrap(compressed))) {
      return in.readAllBytes();
    }
  }

  private static long said(byte[] compressed) {
    return ZstdCodec.DEFAULT.decompressedBytes(ByteBuffer.wrap(compressed));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 200_000})
  void aCompressedMessageStatesItsLengthAndIsReadBack(int size) throws IOException {
    byte[] plain = new byte[size];
    new Random(size).nextBytes(plain);
    byte[] compressed = compressed(plain, 3);
    assertThat(plain(compressed)).isEqualTo(plain);
    assertThat(said(compressed)).isEqualTo(size);
  }

  @Test
  void aHigherLevelCompressesMore() throws IOException {
    StringBuilder text = new StringBuilder();
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      text.append(random.nextInt(1000)).append(' ');
    }
    byte[] plain = text.toString().getBytes(StandardCharsets.US_ASCII);
    assertThat(compressed(plain, 19).length).isLessThan(compressed(plain, 1).length);
  }

  @Test
  void aStreamWithoutALengthIsReadAsWell() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStream stream = new ZstdOutputStream(out)) {
      stream.write(new byte[5000]);
    }
    assertThat(said(out.toByteArray())).isEqualTo(Decompressor.UNKNOWN);
    assertThat(plain(out.toByteArray())).isEqualTo(new byte[5000]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 20, 22})
  void largeMessagesAreReadBackWhateverTheLevel(int level) throws IOException {
    byte[] plain = new byte[9 << 20];
    new Random(level).nextBytes(plain);
    byte[] compressed = compressed(plain, level);
    assertThat(plain(compressed)).isEqualTo(plain);
    assertThat(said(compressed)).isEqualTo(plain.length);
  }

  @Test
  void aMessageOfSeveralFramesIsReadAndStatesNoLength() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(Zstd.compress(new byte[3000]));
    out.write(Zstd.compress(new byte[2000]));
    byte[] frames = out.toByteArray();
    assertThat(plain(frames)).isEqualTo(new byte[5000]);
    assertThat(said(frames)).isEqualTo(Decompressor.UNKNOWN);
    assertThat(ZstdCodec.DEFAULT.decompressedBytes(ByteBuffer.wrap(frames).asReadOnlyBuffer()))
        .isEqualTo(Decompressor.UNKNOWN);
  }

  @Test
  void aWindowOver8MibIsRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStream stream = new ZstdOutputStream(out).setLong(27)) {
      stream.write(new byte[5000]);
    }
    assertThatThrownBy(() -> plain(out.toByteArray())).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 20})
  void truncatedOrOtherDataIsMalformed(int length) {
    byte[] whole = Zstd.compress(new byte[100_000]);
    byte[] cut = Arrays.copyOf(whole, Math.min(length, whole.length - 1));
    assertThatThrownBy(() -> plain(cut)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> plain(new byte[length])).isInstanceOf(IOException.class);
    assertThat(said(new byte[length])).isEqualTo(Decompressor.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 23})
  void levelsOtherThanOneTo22AreRefused(int level) {
    assertThatThrownBy(() -> ZstdCodec.DEFAULT.withLevel(level))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 22");
  }
}
