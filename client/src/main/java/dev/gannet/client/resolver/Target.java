package dev.gannet.client.resolver;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The parsed target of a channel: {@code scheme:[//authority/]path}. Immutable.
 *
 * <p>A text with an unknown scheme is a target of {@code dns}: {@code localhost:8080} is {@code
 * dns:///localhost:8080} (gRPC Name Resolution). Authority and path may be percent-encoded after a
 * scheme; the text of the target stays as it was given.
 */
public final class Target {
  /** The scheme of DNS names. */
  public static final String DNS = "dns";

  /** The port of a target without a port (gRPC Name Resolution). */
  public static final int DEFAULT_PORT = 443;

  private static final String BEFORE_AUTHORITY = "//";
  private static final String ENCODED_PERCENT = "%25";

  /** The length of an encoded byte. */
  private static final int ENCODED = ENCODED_PERCENT.length();

  private final String scheme;
  private final String authority;
  private final String path;
  private final String text;

  private Target(String scheme, String authority, String path, String text) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.text = text;
  }

  /**
   * Parses a text.
   *
   * @param registered whether there is a resolver for a scheme, in lower case
   */
  public static Target parse(String text, Predicate<String> registered) {
    int colon = endOfScheme(text);
    if (colon >= 0) {
      String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
      if (registered.test(scheme)) {
        return of(scheme, text.substring(colon + 1));
      }
    }
    return new Target(DNS, "", "/" + text, DNS + ":///" + text);
  }

  private static Target of(String scheme, String rest) {
    if (!rest.startsWith(BEFORE_AUTHORITY)) {
      String slashes = rest.startsWith("/") ? BEFORE_AUTHORITY : "";
      return new Target(scheme, "", decoded(rest), scheme + ":" + slashes + rest);
    }
    int from = BEFORE_AUTHORITY.length();
    int slash = rest.indexOf('/', from);
    int end = slash < 0 ? rest.length() : slash;
    String authority = decoded(rest.substring(from, end));
    return new Target(scheme, authority, decoded(rest.substring(end)), scheme + ":" + rest);
  }

  /** A text as it is written in a target, so that it is not decoded. */
  public static String encoded(String text) {
    return text.replace("%", ENCODED_PERCENT);
  }

  /** Whether the text begins with a scheme. */
  public static boolean hasScheme(String text) {
    return endOfScheme(text) >= 0;
  }

  /** The index of the colon after a scheme (RFC 3986 §3.1), or -1. */
  private static int endOfScheme(String text) {
    int colon = text.indexOf(':');
    if (colon <= 0 || !isLetter(text.charAt(0))) {
      return -1;
    }
    for (int i = 1; i < colon; i++) {
      if (!isOfScheme(text.charAt(i))) {
        return -1;
      }
    }
    return colon;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isOfScheme(char c) {
    return isLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  }

  /** The scheme, in lower case. */
  public String scheme() {
    return scheme;
  }

  /** The text between {@code //} and the next slash; empty in most targets. */
  public String authority() {
    return authority;
  }

  /** The rest, with its first slash if it has one. */
  public String path() {
    return path;
  }

  /** The path without its first slash. */
  public String endpoint() {
    return path.startsWith("/") ? path.substring(1) : path;
  }

  /**
   * Percent-encoded bytes are UTF-8 (RFC 3986 §2.1 and §2.5). A percent sign stands for itself
   * where two hexadecimal digits do not follow; and in brackets, because it begins the zone of an
   * IPv6 address, unless it is written as {@code %25} (RFC 6874).
   */
  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] given = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(given.length);
    boolean bracketed = false;
    int i = 0;
    while (i < given.length) {
      bracketed = given[i] == '[' || (bracketed && given[i] != ']');
      if (given[i] == '%' && (bracketed ? isZone(given, i) : isByte(given, i))) {
        bytes.write(HexFormat.fromHexDigits(text(given, i + 1, i + ENCODED)));
        i += ENCODED;
      } else {
        bytes.write(given[i]);
        i++;
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static boolean isByte(byte[] given, int percent) {
    return percent + ENCODED <= given.length
        && HexFormat.isHexDigit(given[percent + 1])
        && HexFormat.isHexDigit(given[percent + 2]);
  }

  /** Whether it is {@code %25} with a zone behind it; the zone may be the number 25. */
  private static boolean isZone(byte[] given, int percent) {
    int zone = percent + ENCODED;
    return zone < given.length
        && given[zone] != ']'
        && text(given, percent, zone).equals(ENCODED_PERCENT);
  }

  private static String text(byte[] given, int from, int to) {
    return new String(given, from, to - from, StandardCharsets.ISO_8859_1);
  }

  @Override
  public String toString() {
    return text;
  }
}
