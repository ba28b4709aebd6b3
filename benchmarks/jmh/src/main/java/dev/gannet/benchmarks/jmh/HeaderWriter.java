package dev.gannet.benchmarks.jmh;

import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.hpack.Indexing;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestFields;
import dev.gannet.protocol.ResponseFields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.stream.Stream;

/** Writes the header blocks of one connection like a certain peer. */
interface HeaderWriter {
  int TABLE_BYTES = 4096;

  byte[] write(WrittenFields fields);

  /** Like grpc-java: Netty's encoder, which indexes all it can and never uses the Huffman code. */
  static HeaderWriter grpcJava() {
    Http2HeadersEncoder encoder =
        new DefaultHttp2HeadersEncoder(
            Http2HeadersEncoder.NEVER_SENSITIVE, false, 16, Integer.MAX_VALUE);
    return fields -> {
      Http2Headers headers = new DefaultHttp2Headers(false);
      for (WrittenFields.Field field : fields.fields()) {
        headers.add(AsciiString.of(field.name()), AsciiString.of(field.value()));
      }
      ByteBuf out = Unpooled.buffer();
      try {
        encoder.encodeHeaders(1, headers, out);
      } catch (Http2Exception e) {
        throw new IllegalArgumentException(e);
      }
      return ByteBufUtil.getBytes(out);
    };
  }

  /** Like grpc-go: indexes all it can and uses the Huffman code where it is shorter. */
  static HeaderWriter grpcGo() {
    HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);
    return fields -> {
      HeaderBlock out = new HeaderBlock();
      encoder.begin(out);
      encodeAll(fields, Indexing.ALLOWED, encoder, out);
      return octets(out);
    };
  }

  /** Like h2load: the first block, and then the same block again and again. */
  static HeaderWriter h2load() {
    String path = "049a626b2b22e92a126aa65f79509dc5b3b9885630535a7d5e1d147f";
    String first =
        "86418ba0e41d139d09b817dc08bf837a8f9c541c722954d3a5358980aed89707"
            + "40027465864d833505b11f5f8b1d75d0620d263d4c4d65640f0d0135";
    Iterator<byte[]> blocks =
        Stream.concat(Stream.of(path + first), Stream.generate(() -> path + "86c183c0bfbe0f0d0135"))
            .map(HexFormat.of()::parseHex)
            .iterator();
    return fields -> blocks.next();
  }

  /** Like a channel of Gannet: the shared fields of a method, and then the call's own fields. */
  static HeaderWriter gannetClient() {
    HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);
    HeaderList shared =
        RequestFields.shared(
            "http",
            "localhost:50051",
            "grpc.testing.BenchmarkService/UnaryCall",
            MessageEncoding.IDENTITY);
    return fields -> {
      HeaderBlock out = new HeaderBlock();
      encoder.begin(out);
      encoder.encode(shared, out);
      encodeAll(fields, Indexing.SKIPPED, encoder, out);
      return octets(out);
    };
  }

  /** Like a server of Gannet: headers and trailers in turn. */
  static HeaderWriter gannetServer() {
    HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);
    Iterator<HeaderList> lists =
        Stream.generate(() ->
                Stream.of(
                    MessageEncodings.DEFAULT.responseHeaders(MessageEncoding.IDENTITY),
                    ResponseFields.OK_TRAILERS))
            .flatMap(both -> both)
            .iterator();
    return fields -> {
      HeaderBlock out = new HeaderBlock();
      encoder.begin(out);
      encoder.encode(lists.next(), out);
      return octets(out);
    };
  }

  private static void encodeAll(
      WrittenFields fields, Indexing indexing, HpackEncoder encoder, HeaderBlock out) {
    for (WrittenFields.Field field : fields.fields()) {
      encoder.encode(field.name(), field.value(), indexing, out);
    }
  }

  private static byte[] octets(HeaderBlock out) {
    return Arrays.copyOf(out.array(), out.length());
  }
}
