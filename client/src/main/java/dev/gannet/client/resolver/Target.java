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
 * dns:///localhost:8080} (gRPC Name Resolution). Authority and path may be percent-encoded; the
 * text of the target stays as it was given.
 */
public final class Target {
  /** The scheme of DNS names. */
  public static final String DNS = "dns";

  /** The port of a target without a port (gRPC Name Resolution). */
  public static final int DEFAULT_PORT = 443;

  private static final String BEFORE_AUTHORITY = "//";

  private final String scheme;
  private final String authority;
  private final String path;

  private Target(String scheme, String authority, String path) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
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
    return new Target(DNS, "", "/" + text);
  }

  private static Target of(String scheme, String rest) {
    if (!rest.startsWith(BEFORE_AUTHORITY)) {
      return new Target(scheme, "", rest);
    }
    int from = BEFORE_AUTHORITY.length();
    int slash = rest.indexOf('/', from);
    int end = slash < 0 ? rest.length() : slash;
    return new Target(scheme, rest.substring(from, end), rest.substring(end));
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
    return decoded(authority);
  }

  /** The rest, with its first slash if it has one. */
  public String path() {
    return decoded(path);
  }

  /** The path without its first slash. */
  public String endpoint() {
    String whole = path();
    return whole.startsWith("/") ? whole.substring(1) : whole;
  }

  /**
   * Percent-encoded bytes are UTF-8 (RFC 3986 §2.1 and §2.5). A percent sign without two
   * hexadecimal digits stands for itself, as in {@code [fe80::1%eth0]}.
   */
  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] given = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(given.length);
    for (int i = 0; i < given.length; i++) {
      if (given[i] == '%' && i + 2 < given.length && isHex(given[i + 1]) && isHex(given[i + 2])) {
        bytes.write(
            (HexFormat.fromHexDigit(given[i + 1]) << 4) + HexFormat.fromHexDigit(given[i + 2]));
        i += 2;
      } else {
        bytes.write(given[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static boolean isHex(byte digit) {
    return HexFormat.isHexDigit(digit);
  }

  @Override
  public String toString() {
    return authority.isEmpty() && !path.startsWith("/")
        ? scheme + ":" + path
        : scheme + "://" + authority + path;
  }
}
