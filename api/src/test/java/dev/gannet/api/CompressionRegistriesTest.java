package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which encodings the registries have. */
final class CompressionRegistriesTest {
  private record Codec(String messageEncoding) implements Compressor, Decompressor {
    @Override
    public void compress(ByteBuffer message, OutputStream to) {}

    @Override
    public InputStream decompress(ByteBuffer message) {
      return new ByteArrayInputStream(new byte[0]);
    }
  }

  @Test
  void gzipIsBuiltIn() {
    assertThat(CompressorRegistry.DEFAULT.names()).containsExactly("gzip");
    assertThat(CompressorRegistry.DEFAULT.added()).isEmpty();
    assertThat(DecompressorRegistry.DEFAULT.names()).containsExactly("gzip");
    assertThat(DecompressorRegistry.DEFAULT.added()).isEmpty();
  }

  @Test
  void addedEncodingsFollowGzipInTheirOrder() {
    Codec b = new Codec("b");
    Codec a = new Codec("a");
    assertThat(CompressorRegistry.DEFAULT.with(b).with(a).names())
        .containsExactly("gzip", "b", "a");
    assertThat(DecompressorRegistry.DEFAULT.with(b).with(a).added().values()).containsExactly(b, a);
  }

  @Test
  void gzipCanBeReplaced() {
    Codec own = new Codec("gzip");
    assertThat(CompressorRegistry.DEFAULT.with(own).added()).containsEntry("gzip", own);
    assertThat(DecompressorRegistry.DEFAULT.with(new Codec("a")).with(own).names())
        .containsExactly("a", "gzip");
  }

  @Test
  void eachEncodingCanBeRemoved() {
    Codec own = new Codec("own");
    assertThat(CompressorRegistry.DEFAULT.with(own).without("gzip").names()).containsExactly("own");
    assertThat(CompressorRegistry.DEFAULT.with(own).without("own").names()).containsExactly("gzip");
    assertThat(DecompressorRegistry.DEFAULT.without("gzip").names()).isEmpty();
    assertThat(DecompressorRegistry.DEFAULT.with(new Codec("gzip")).without("gzip").names())
        .isEmpty();
    assertThat(DecompressorRegistry.DEFAULT.names()).as("unchanged").containsExactly("gzip");
  }

  @Test
  void anAbsentEncodingCannotBeRemoved() {
    assertThatThrownBy(() -> DecompressorRegistry.DEFAULT.without("gizp"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the registry has no message encoding 'gizp'; it has [gzip]");
  }

  @Test
  void identityCannotBeReplacedOrRemoved() {
    Codec identity = new Codec("identity");
    String message =
        "the message encoding 'identity' (no compression) cannot be replaced or removed";
    assertThatThrownBy(() -> CompressorRegistry.DEFAULT.with(identity)).hasMessage(message);
    assertThatThrownBy(() -> DecompressorRegistry.DEFAULT.with(identity)).hasMessage(message);
    assertThatThrownBy(() -> CompressorRegistry.DEFAULT.without("identity")).hasMessage(message);
    assertThatThrownBy(() -> DecompressorRegistry.DEFAULT.without("identity")).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GZIP", "a b", "a,b"})
  void aNameMustFitTheHeader(String name) {
    Codec codec = new Codec(name);
    assertThatThrownBy(() -> CompressorRegistry.DEFAULT.with(codec))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DecompressorRegistry.DEFAULT.with(codec))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
