package dev.gannet.conformance.connect;

import static org.assertj.core.api.Assertions.assertThat;

import connectrpc.conformance.v1.Service.Header;
import dev.gannet.api.Metadata;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metadata as the suite writes it. */
final class FieldsTest {
  @Test
  void valuesOfOneNameAreGroupedInTheirOrder() {
    Metadata metadata = new Metadata();
    metadata.add(Metadata.Key.ascii("a"), "1");
    metadata.add(Metadata.Key.ascii("b"), "2");
    metadata.add(Metadata.Key.ascii("a"), "3");

    assertThat(Fields.headers(metadata)).containsExactly(header("a", "1", "3"), header("b", "2"));
  }

  @Test
  void binaryValuesAreBase64WithoutPadding() {
    Metadata metadata = new Metadata();
    metadata.add(Metadata.Key.binary("a-bin"), new byte[] {-1});

    assertThat(Fields.headers(metadata)).containsExactly(header("a-bin", "/w"));
  }

  @Test
  void metadataIsReadAsItIsWritten() {
    List<Header> headers = List.of(header("a-bin", "/w", "AAEC"), header("b", "x", "y"));

    assertThat(Fields.headers(Fields.metadata(headers))).isEqualTo(headers);
  }

  private static Header header(String name, String... values) {
    return Header.newBuilder().setName(name).addAllValue(List.of(values)).build();
  }
}
