package dev.gannet.protocol;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The value of a field whose name ends in {@code -bin}: any bytes in base64 (RFC 4648 §4,
 * PROTOCOL-HTTP2, Custom-Metadata).
 */
public final class BinaryHeader {
  /**
   * How many values may be joined: each takes one byte on the wire and dozens in memory. Separate
   * fields are limited by HTTP/2's limits.
   */
  static final int MAX_VALUES = 256;

  private static final byte[] NO_BYTES = {};

  private static final Base64.Encoder ENCODER = Base64.getEncoder().withoutPadding();
  private static final Base64.Decoder DECODER =
      Base64.getDecoder(); // reads values with and without padding

  private BinaryHeader() {}

  /** The bytes in base64 without padding. */
  public static String encode(byte[] value) {
    return ENCODER.encodeToString(value);
  }

  /**
   * The values in a field: a peer, or a proxy, may have joined several with commas and spaces.
   * Empty if any of them is not base64 (with or without padding), or if there are more than {@value
   * #MAX_VALUES}.
   */
  public static Optional<List<byte[]>> decode(String value) {
    List<byte[]> values = new ArrayList<>(1);
    try {
      int from = 0;
      for (int comma = value.indexOf(','); comma >= 0; comma = value.indexOf(',', from)) {
        values.add(decodeOne(value.substring(from, comma)));
        if (values.size() == MAX_VALUES) {
          return Optional.empty();
        }
        from = comma + 1;
      }
      values.add(decodeOne(value.substring(from)));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    return Optional.of(values);
  }

  private static byte[] decodeOne(String value) {
    byte[] bytes = DECODER.decode(value.strip());
    return bytes.length == 0
        ? NO_BYTES
        : bytes; // there may be many of these, and they are cheap to send
  }
}
