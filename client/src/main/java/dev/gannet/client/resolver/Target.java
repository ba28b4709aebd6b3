package dev.gannet.client.resolver;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern WITH_SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(?://([^/]*))?(.*)", Pattern.DOTALL);

  private static final Pattern ENCODED = Pattern.compile("%([0-9A-Fa-f]{2})");

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
    Matcher parts = WITH_SCHEME.matcher(text);
    if (parts.matches()) {
      String scheme = parts.group(1).toLowerCase(Locale.ROOT);
      if (registered.test(scheme)) {
        String authority = parts.group(2);
        return new Target(scheme, authority == null ? "" : authority, parts.group(3));
      }
    }
    return new Target(DNS, "", "/" + text);
  }

  /** Whether the text begins with a scheme. */
  public static boolean hasScheme(String text) {
    return WITH_SCHEME.matcher(text).matches();
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
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    Matcher encoded = ENCODED.matcher(text);
    int done = 0;
    while (encoded.find()) {
      bytes.writeBytes(text.substring(done, encoded.start()).getBytes(StandardCharsets.UTF_8));
      bytes.write(HexFormat.fromHexDigits(encoded.group(1)));
      done = encoded.end();
    }
    bytes.writeBytes(text.substring(done).getBytes(StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return authority.isEmpty() && !path.startsWith("/")
        ? scheme + ":" + path
        : scheme + "://" + authority + path;
  }
}
