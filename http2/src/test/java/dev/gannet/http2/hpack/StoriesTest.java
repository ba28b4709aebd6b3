package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public stories of http2jp/hpack-test-case: what others encoded, and what they had in mind.
 */
final class StoriesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> OTHERS =
      List.of("haskell-http2-linear-huffman", "nghttp2", "nghttp2-change-table-size");
  private static final List<String> STORIES =
      List.of("00", "03", "07", "11", "15", "19", "20", "21", "25", "30");

  private static Stream<Arguments> othersStories() {
    return OTHERS.stream().flatMap(them -> STORIES.stream().map(story -> arguments(them, story)));
  }

  private static List<String> stories() {
    return STORIES;
  }

  @ParameterizedTest
  @MethodSource("othersStories")
  void blocksEncodedByOthersAreDecoded(String encoder, String story) throws IOException {
    HpackDecoder decoder = new HpackDecoder(4096, 1 << 20, 1000);
    for (JsonNode given : cases(encoder, story)) {
      Decoded decoded = decoder.decode(Octets.block(given.get("wire").textValue()));
      assertThat(decoded).as("case %s", given.get("seqno")).isEqualTo(headers(given));
      int allowed = given.path("header_table_size").asInt(4096);
      assertThat(decoder.table().capacityBytes()).isLessThanOrEqualTo(allowed);
    }
  }

  @ParameterizedTest
  @MethodSource("stories")
  void blocksEncodedByUsAreDecodedByUs(String story) throws IOException {
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
  @MethodSource("stories")
  void blocksEncodedByUsAreDecodedByNetty(String story) throws IOException, Http2Exception {
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
