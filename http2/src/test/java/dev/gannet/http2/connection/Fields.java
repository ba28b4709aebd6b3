package dev.gannet.http2.connection;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Header lists of the scripts, and the plainest way to put one on the wire (RFC 7541 §6.2.2). */
final class Fields {
  static final HeaderList REQUEST =
      of(":method", "POST", ":scheme", "http", ":path", "/pack.Service/Method");
  static final HeaderList RESPONSE = of(":status", "200");
  static final HeaderList TRAILERS = of("grpc-status", "0");

  private static final int LITERAL_NOT_INDEXED = 0x00;
  private static final int SEVEN_BITS = 0x7f;

  private Fields() {}

  static HeaderList of(String... namesAndValues) {
    HeaderField[] fields = new HeaderField[namesAndValues.length / 2];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = HeaderField.of(namesAndValues[2 * i], namesAndValues[2 * i + 1]);
    }
    return HeaderList.of(fields);
  }

  /** A list with one field whose value has that many octets. */
  static HeaderList withValueOf(int octets) {
    return of("large", "v".repeat(octets));
  }

  /** The usual request, with these fields behind its own. */
  static HeaderList requestWith(String... namesAndValues) {
    return joined(REQUEST, of(namesAndValues));
  }

  /** The usual response, with these fields behind its own. */
  static HeaderList responseWith(String... namesAndValues) {
    return joined(RESPONSE, of(namesAndValues));
  }

  static HeaderList joined(HeaderList first, HeaderList second) {
    List<HeaderField> fields = new ArrayList<>();
    first.forEach(fields::add);
    second.forEach(fields::add);
    return HeaderList.of(fields);
  }

  /** Each field as a literal that no table learns. */
  static byte[] block(HeaderList list) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (HeaderField field : list) {
      block.write(LITERAL_NOT_INDEXED);
      string(field.name(), block);
      string(field.value(), block);
    }
    return block.toByteArray();
  }

  private static void string(String text, ByteArrayOutputStream block) {
    int rest = text.length();
    if (rest < SEVEN_BITS) {
      block.write(rest);
    } else {
      block.write(SEVEN_BITS);
      rest -= SEVEN_BITS;
      for (; rest > SEVEN_BITS; rest >>>= 7) {
        block.write((rest & SEVEN_BITS) | 0x80);
      }
      block.write(rest);
    }
    block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
