package dev.gannet.http2.hpack;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Header blocks as hexadecimal text, and back. */
final class Octets {
  private Octets() {}

  /** The octets of hexadecimal text; spaces are ignored. */
  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  static ByteBuffer block(String hex) {
    return ByteBuffer.wrap(bytes(hex));
  }

  static ByteBuffer block(HeaderBlock block) {
    return ByteBuffer.wrap(block.array(), 0, block.length());
  }

  static String hex(HeaderBlock block) {
    return HexFormat.of().formatHex(block.array(), 0, block.length());
  }

  /** A string literal without Huffman coding, shorter than 127 octets. */
  static String literal(String text) {
    HexFormat format = HexFormat.of();
    byte[] octets = text.getBytes(StandardCharsets.ISO_8859_1);
    return format.toHexDigits((byte) octets.length) + format.formatHex(octets);
  }
}
