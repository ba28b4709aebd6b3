package dev.gannet.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import dev.gannet.api.Metadata;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** Messages as values of metadata. */
final class ProtobufMetadataTest {
  private static final Metadata.Key<StringValue> KEY =
      ProtobufMetadata.key(StringValue.getDefaultInstance());

  @Test
  void aKeyIsNamedAfterItsType() {
    assertThat(KEY.name()).isEqualTo("google.protobuf.stringvalue-bin");
  }

  @Test
  void anAddedMessageIsReadBackUnchanged() {
    Metadata metadata = new Metadata();
    metadata.add(KEY, StringValue.of("hello"));
    assertThat(metadata.get(KEY)).contains(StringValue.of("hello"));
  }

  @Test
  void invalidBytesAreRefusedWhenTheyAreRead() {
    Metadata metadata = new Metadata();
    metadata.add(Metadata.Key.binary(KEY.name()), new byte[] {10, 5, 'h'});
    assertThatThrownBy(() -> metadata.get(KEY)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aNameWithoutBinIsRefused() {
    assertThatThrownBy(() -> ProtobufMetadata.key("name", StringValue.getDefaultInstance()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-bin");
  }
}
