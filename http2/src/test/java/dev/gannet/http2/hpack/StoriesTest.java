package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The public stories of http2jp/hpack-test-case: what others encoded, and what they had in mind.
 */
final class StoriesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource({
    "haskell-http2-linear-huffman, 00",
    "haskell-http2-linear-huffman, 03",
    "haskell-http2-linear-huffman, 07",
    "haskell-http2-linear-huffman, 11",
    "haskell-http2-linear-huffman, 15",
    "haskell-http2-linear-huffman, 19",
    "haskell-http2-linear-huffman, 20",
    "haskell-http2-linear-huffman, 25",
    "nghttp2, 00",
    "nghttp2, 03",
    "nghttp2, 07",
    "nghttp2, 11",
    "nghttp2, 15",
    "nghttp2, 19",
    "nghttp2, 20",
    "nghttp2, 25",
    "nghttp2-change-table-size, 00",
    "nghttp2-change-table-size, 03",
    "nghttp2-change-table-size, 07",
    "nghttp2-change-table-size, 11",
    "nghttp2-change-table-size, 15",
    "nghttp2-change-table-size, 19",
    "nghttp2-change-table-size, 20",
    "nghttp2-change-table-size, 25"
  })
  void whatOthersEncodedDecodes(String encoder, String story) throws IOException {
    HpackDecoder decoder = new HpackDecoder(4096, 1 << 20, 1000);
    for (JsonNode given : cases(encoder, story)) {
      Decoded decoded = decoder.decode(Octets.block(given.get("wire").textValue()));
      assertThat(decoded).as("case %s", given.get("seqno")).isEqualTo(headers(given));
      int allowed = given.path("header_table_size").asInt(4096);
      assertThat(decoder.table().capacityBytes()).isLessThanOrEqualTo(allowed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "03", "07", "11", "15", "19", "20", "25"})
  void whatWeEncodeDecodes(String story) throws IOException {
    for (int maxTableBytes : new int[] {4096, 0, 100, 1000, 65_536}) {
      HpackEncoder encoder = new HpackEncoder(maxTableBytes);
      encoder.setPeerTableBytes(65_536);
      HpackDecoder decoder = new HpackDecoder(65_536, 1 << 20, 1000);
      for (JsonNode given : cases("raw-data", story)) {
        HeaderList list = headers(given);
        HeaderBlock out = new HeaderBlock();
        encoder.begin(out);
        encoder.encode(list, out);
        assertThat(decoder.decode(Octets.block(out))).isEqualTo(list);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "03", "07", "11", "15", "19", "20", "25"})
  void whatWeEncodeIsWhatNettyReads(String story) throws IOException, Http2Exception {
    for (int maxTableBytes : new int[] {4096, 0, 100, 1000, 65_536}) {
      HpackEncoder encoder = new HpackEncoder(maxTableBytes);
      encoder.setPeerTableBytes(65_536);
      DefaultHttp2HeadersDecoder netty = new DefaultHttp2HeadersDecoder(false, 1 << 20);
      netty.configuration().maxHeaderTableSize(65_536);
      for (JsonNode given : cases("raw-data", story)) {
        HeaderList list = headers(given);
        HeaderBlock out = new HeaderBlock();
        encoder.begin(out);
        encoder.encode(list, out);
        assertThat(read(netty, out)).as("case %s", given.get("seqno")).isEqualTo(list);
      }
    }
  }

  private static HeaderList read(DefaultHttp2HeadersDecoder netty, HeaderBlock block)
      throws Http2Exception {
    ByteBuf octets = Unpooled.wrappedBuffer(block.array(), 0, block.length());
    List<HeaderField> fields = new ArrayList<>();
    for (Map.Entry<CharSequence, CharSequence> field : netty.decodeHeaders(1, octets)) {
      fields.add(HeaderField.of(field.getKey().toString(), field.getValue().toString()));
    }
    return HeaderList.of(fields);
  }

  private static JsonNode cases(String encoder, String story) throws IOException {
    String path = "/hpack/" + encoder + "/story_" + story + ".json";
    try (InputStream in = Objects.requireNonNull(StoriesTest.class.getResourceAsStream(path))) {
      return JSON.readTree(in).get("cases");
    }
  }

  private static HeaderList headers(JsonNode given) {
    List<HeaderField> fields = new ArrayList<>();
    for (JsonNode header : given.get("headers")) {
      for (Map.Entry<String, JsonNode> field : header.properties()) {
        fields.add(HeaderField.of(field.getKey(), field.getValue().textValue()));
      }
    }
    return HeaderList.of(fields);
  }
}
