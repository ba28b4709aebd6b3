package dev.gannet.protocol;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The value of {@code grpc-message}: any text in printable ASCII (PROTOCOL-HTTP2, Responses). */
public final class PercentEncoding {
  /**
   * The longest value that is sent, in bytes; longer text is cut. This is well below common header
   * limits.
   */
  public static final int MAX_ENCODED_BYTES = 4096;

  /** The longest text that is read, in bytes of UTF-8; a peer's longer text is cut. */
  public static final int MAX_DECODED_BYTES = 4096;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int ESCAPE_BYTES = 3;

  private PercentEncoding() {}

  /**
   * The text in UTF-8, with {@code %XX} for {@code %} and for all bytes outside 0x20 to 0x7e, and
   * for a space at either end, which no HTTP field may have (RFC 9113 §8.2.1).
   *
   * <p>Text that would become longer than {@link #MAX_ENCODED_BYTES} is cut between two characters.
   * Half a surrogate pair becomes U+FFFD. Text that needs nothing of this is returned as it is.
   */
  public static String encode(String text) {
    int plain = 0;
    int end = Math.min(text.length(), MAX_ENCODED_BYTES);
    while (plain < end && isPlain(text, plain)) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    StringBuilder encoded = new StringBuilder(Math.min(text.length(), MAX_ENCODED_BYTES / 2) * 2);
    encoded.append(text, 0, plain);
    int at = plain;
    while (at < text.length()) {
      int room = MAX_ENCODED_BYTES - encoded.length();
      int codePoint = text.codePointAt(at);
      if (encodedBytes(text, at, codePoint) > room) {
        return withoutSpacesBehind(encoded);
      }
      append(text, at, codePoint, encoded);
      at += Character.charCount(codePoint);
    }
    return encoded.toString();
  }

  private static boolean isPlain(String text, int at) {
    char c = text.charAt(at);
    return c == ' ' ? at > 0 && at < text.length() - 1 : c > ' ' && c <= '~' && c != '%';
  }

  private static int encodedBytes(String text, int at, int codePoint) {
    if (codePoint < 0x80) {
      return isPlain(text, at) ? 1 : ESCAPE_BYTES;
    }
    return (codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4) * ESCAPE_BYTES;
  }

  private static void append(String text, int at, int codePoint, StringBuilder into) {
    if (isPlain(text, at)) {
      into.append((char) codePoint);
      return;
    }
    boolean lone = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    String whole = lone ? "\uFFFD" : Character.toString(codePoint);
    for (byte octet : whole.getBytes(StandardCharsets.UTF_8)) {
      HEX.toHexDigits(into.append('%'), octet);
    }
  }

  /** If the text was cut after a space, that space would be at its end, so it is removed. */
  private static String withoutSpacesBehind(StringBuilder cut) {
    int length = cut.length();
    while (length > 0 && cut.charAt(length - 1) == ' ') {
      length--;
    }
    return cut.substring(0, length);
  }

  /**
   * The text that a peer sent. Never fails: a malformed escape stays as it is, bytes that are not
   * UTF-8 become U+FFFD, and text longer than {@link #MAX_DECODED_BYTES} is cut between two
   * characters. The text may contain control characters: escape them before it is logged.
   *
   * @param value the field's bytes, one character each, as HPACK decodes them
   */
  public static String decode(String value) {
    if (value.length() <= MAX_DECODED_BYTES && isAsciiWithoutEscapes(value)) {
      return value;
    }
    byte[] octets = new byte[Math.min(value.length(), MAX_DECODED_BYTES)];
    int used = 0;
    int at = 0;
    while (at < value.length() && used < octets.length) {
      int escaped = escapedOctet(value, at);
      octets[used++] = escaped >= 0 ? (byte) escaped : asOctet(value.charAt(at));
      at += escaped >= 0 ? ESCAPE_BYTES : 1;
    }
    return utf8(ByteBuffer.wrap(octets, 0, used), at == value.length());
  }

  private static boolean isAsciiWithoutEscapes(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) >= 0x80 || value.charAt(i) == '%') {
        return false;
      }
    }
    return true;
  }

  /** The byte of the escape at that position; -1 if there is none. */
  private static int escapedOctet(String value, int at) {
    if (value.charAt(at) != '%' || at + ESCAPE_BYTES > value.length()) {
      return -1;
    }
    int high = hexDigit(value.charAt(at + 1));
    int low = hexDigit(value.charAt(at + 2));
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static int hexDigit(char c) {
    return HexFormat.isHexDigit(c) ? HexFormat.fromHexDigit(c) : -1;
  }

  private static byte asOctet(char c) {
    return c <= 0xff ? (byte) c : (byte) '?';
  }

  /**
   * The text of these bytes; an incomplete character at their end counts only if there is nothing
   * else.
   */
  private static String utf8(ByteBuffer octets, boolean all) {
    CharBuffer text = CharBuffer.allocate(octets.remaining());
    StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .decode(octets, text, all);
    return text.flip().toString();
  }
}
