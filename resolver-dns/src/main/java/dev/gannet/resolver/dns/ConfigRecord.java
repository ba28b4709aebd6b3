package dev.gannet.resolver.dns;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The TXT records of {@code _grpc_config.<host>}: one begins {@code grpc_config=} (gRFC A2). */
final class ConfigRecord {
  private static final int MAX_BYTES = 65_535;
  private static final String ATTRIBUTE = "grpc_config=";

  private ConfigRecord() {}

  /**
   * The JSON that stands behind it; empty if no record has it.
   *
   * @param records the RDATA of each
   * @throws IllegalArgumentException if several have it, or what they say is not readable
   */
  static Optional<String> json(List<byte[]> records) {
    List<String> found = new ArrayList<>();
    for (byte[] each : records) {
      ByteBuffer bytes = joined(each);
      if (begins(bytes)) {
        found.add(text(bytes).substring(ATTRIBUTE.length()));
      }
    }
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          found.size() + " TXT records begin with " + ATTRIBUTE + "; only one is allowed");
    }
    return found.stream().findFirst();
  }

  /** Compared as bytes: other records need not be texts. */
  private static boolean begins(ByteBuffer record) {
    ByteBuffer attribute = StandardCharsets.US_ASCII.encode(ATTRIBUTE);
    int length = attribute.remaining();
    return record.remaining() >= length && record.slice(0, length).equals(attribute);
  }

  private static String text(ByteBuffer record) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(record).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the record is not UTF-8", e);
    }
  }

  /** Strings of at most 255 bytes, each behind its length, are one text (RFC 1035 §3.3.14). */
  private static ByteBuffer joined(byte[] rdata) {
    if (rdata.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "the record has " + rdata.length + " bytes; at most " + MAX_BYTES + " are allowed");
    }
    ByteBuffer from = ByteBuffer.wrap(rdata);
    ByteBuffer text = ByteBuffer.allocate(rdata.length);
    while (from.hasRemaining()) {
      int length = from.get() & 0xff;
      if (length > from.remaining()) {
        throw new IllegalArgumentException("a record that ends within a string");
      }
      text.put(from.slice(from.position(), length));
      from.position(from.position() + length);
    }
    return text.flip();
  }
}
