package dev.gannet.client.resolver;

import java.util.OptionalInt;

/** A host, which is a name or an IP address, and a port. Immutable. */
public final class HostPort {
  private static final int LARGEST_PORT = 0xffff;
  private static final int PORT_DIGITS = 5;

  private final String host;
  private final int port;

  private HostPort(String host, int port) {
    this.host = host;
    this.port = port;
  }

  /**
   * A host and port.
   *
   * @param host a name, or an IP address; the brackets of an IPv6 address are removed
   * @param port 0 to 65535
   * @throws IllegalArgumentException if one of them is invalid
   */
  public static HostPort of(String host, int port) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String bare = bracketed ? host.substring(1, host.length() - 1) : host;
    if (bracketed && !bare.isEmpty() && bare.indexOf(':') < 0) {
      throw new IllegalArgumentException(
          "'" + host + "' is not a host: brackets are for IPv6 addresses");
    }
    if (bare.isEmpty()) {
      throw new IllegalArgumentException("the host is missing: '" + host + "' is not a host");
    }
    if (bare.chars().anyMatch(c -> c <= ' ' || c == '/')) {
      throw new IllegalArgumentException(
          "'" + bare + "' is not a host: it contains a space, a control character or a slash");
    }
    if (port < 0 || port > LARGEST_PORT) {
      throw notInRange(port);
    }
    return new HostPort(bare, port);
  }

  /**
   * Reads {@code host:port} or {@code [IPv6 address]:port}.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static HostPort parse(String text) {
    return parse(text, OptionalInt.empty());
  }

  /**
   * Reads {@code host:port}, {@code [IPv6 address]:port}, or either without a port.
   *
   * @param defaultPort the port if the text has none
   * @throws IllegalArgumentException if the text is none of these
   */
  public static HostPort parse(String text, int defaultPort) {
    return parse(text, OptionalInt.of(defaultPort));
  }

  /**
   * Reads the endpoint of a target of {@code dns}: {@code host:port}, {@code [IPv6 address]:port},
   * or either without a port, which is {@link Target#DEFAULT_PORT} then.
   *
   * @throws IllegalArgumentException if it is none of these. A text whose scheme has no resolver is
   *     a target of {@code dns}, too, so the message names the scheme if the text may begin with
   *     one
   */
  public static HostPort of(Target target) {
    String text = target.endpoint();
    try {
      return parse(text, Target.DEFAULT_PORT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a target (host:port, [IPv6 address]:port, dns:///host:port, or scheme:..."
              + " of a registered resolver): "
              + reason(text, String.valueOf(e.getMessage()))
              + " (read as '"
              + target
              + "')",
          e);
    }
  }

  private static String reason(String text, String fault) {
    String afterColon = text.substring(text.indexOf(':') + 1);
    boolean hasNumber = afterColon.matches("-?[0-9]*");
    boolean isAddress = text.matches("[0-9a-fA-F:.]+(%.*)?");
    if (!Target.hasScheme(text) || hasNumber || isAddress) {
      return fault;
    }
    String scheme = text.substring(0, text.indexOf(':'));
    String unknown = "no resolver is registered for the scheme '" + scheme + "'";
    return afterColon.startsWith("/") ? unknown : unknown + ", and " + fault;
  }

  private static HostPort parse(String text, OptionalInt defaultPort) {
    if (defaultPort.isPresent() && !hasPort(text)) {
      return of(text, defaultPort.getAsInt());
    }
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw notHostAndPort(text, colon < 0 ? "the port is missing" : "the host is missing");
    }
    String host = text.substring(0, colon);
    if (host.indexOf(':') >= 0 && !host.startsWith("[")) {
      throw notHostAndPort(text, "an IPv6 address must be in brackets");
    }
    try {
      return of(host, port(text.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      throw notHostAndPort(text, String.valueOf(e.getMessage()));
    }
  }

  /** Only ASCII digits (RFC 3986 §3.2.3): parseInt also reads signs and digits of other scripts. */
  private static int port(String text) {
    boolean negative = text.startsWith("-");
    if (!isNumber(negative ? text.substring(1) : text)) {
      throw new IllegalArgumentException("the port '" + text + "' is not a number");
    }
    if (negative || text.length() > PORT_DIGITS) {
      throw notInRange(text);
    }
    return Integer.parseInt(text);
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static IllegalArgumentException notInRange(Object port) {
    return new IllegalArgumentException("the port " + port + " is not in 0 to 65535");
  }

  /** Whether a text with a host also has a port, or at least a colon before one. */
  static boolean hasPort(String text) {
    return text.indexOf(':', Math.max(0, text.lastIndexOf(']'))) >= 0;
  }

  private static IllegalArgumentException notHostAndPort(String text, String why) {
    return new IllegalArgumentException(
        "'" + text + "' is not host:port or [IPv6 address]:port: " + why);
  }

  /** Without brackets. */
  public String host() {
    return host;
  }

  /** The port, 0 to 65535. */
  public int port() {
    return port;
  }

  /**
   * In the form for {@code :authority}: without a zone, which is only valid on this machine (RFC
   * 6874 §3).
   */
  @Override
  public String toString() {
    String zoneless = host.indexOf(':') >= 0 ? "[" + host.replaceFirst("%.*", "") + "]" : host;
    return zoneless + ":" + port;
  }
}
