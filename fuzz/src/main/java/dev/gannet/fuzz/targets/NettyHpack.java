package dev.gannet.fuzz.targets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Netty's HPACK decoder and encoder, for comparison. It puts pseudo-fields first, so lists are
 * compared in that order.
 */
final class NettyHpack {
  /** A field as a plain value. */
  record Field(String name, String value) {
    boolean isPseudo() {
      return name.startsWith(":");
    }
  }

  private static final long NO_LIMIT = 0xffff_ffffL;
  private static final int STREAM_ID = 1;

  private final DefaultHttp2HeadersDecoder decoder =
      new DefaultHttp2HeadersDecoder(false, NO_LIMIT);
  private final DefaultHttp2HeadersEncoder encoder =
      new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE);

  /** Uses another table size, as if our SETTINGS had been acknowledged. */
  void setMaxTableBytes(long bytes) {
    try {
      decoder.maxHeaderTableSize(bytes);
    } catch (Http2Exception e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The fields of a block, pseudo-fields first; empty if Netty rejects it. */
  Optional<List<Field>> decode(byte[] block) {
    try {
      Http2Headers headers = decoder.decodeHeaders(STREAM_ID, Unpooled.wrappedBuffer(block));
      List<Field> fields = new ArrayList<>();
      for (Map.Entry<CharSequence, CharSequence> field : headers) {
        fields.add(new Field(field.getKey().toString(), field.getValue().toString()));
      }
      return Optional.of(pseudoFirst(fields));
    } catch (Http2Exception e) {
      return Optional.empty();
    }
  }

  /** Netty's block for these fields. */
  byte[] encode(List<Field> fields) {
    Http2Headers headers = new DefaultHttp2Headers(false);
    for (Field field : fields) {
      headers.add(new AsciiString(field.name), new AsciiString(field.value));
    }
    ByteBuf out = Unpooled.buffer();
    try {
      encoder.encodeHeaders(STREAM_ID, headers, out);
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
    byte[] block = new byte[out.readableBytes()];
    out.readBytes(block);
    return block;
  }

  /** The same fields in Netty's order. */
  static List<Field> pseudoFirst(List<Field> fields) {
    return fields.stream().sorted(Comparator.comparing(field -> !field.isPseudo())).toList();
  }
}
