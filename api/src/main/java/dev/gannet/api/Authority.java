package dev.gannet.api;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/**
 * The syntax of {@code :authority}: a host with an optional port (RFC 3986 §3.2). User information
 * (RFC 9113 §8.3.1) and an empty host (RFC 9110 §4.2.1) are not allowed.
 */
final class Authority {
  private static final String NAME_SIGNS = "-._~!$&'()*+,;=";
  private static final String ZONE = "%25[-._~0-9A-Za-z]+(?=\\]$)";
  private static final String FUTURE = "\\[[vV][0-9A-Fa-f]+\\.[-._~!$&'()*+,;=:0-9A-Za-z]+\\]";
  private static final int LARGEST_PORT = 65_535;

  private Authority() {}

  /**
   * Does nothing if servers accept the text.
   *
   * @throws IllegalArgumentException if they do not
   */
  static void check(String authority) {
    if (Objects.requireNonNull(authority, "authority").indexOf('@') >= 0) {
      throw refused(authority, "it has user information (before '@'), which servers refuse");
    }
    int colon = authority.indexOf(':', authority.startsWith("[") ? authority.indexOf(']') + 1 : 0);
    String host = colon < 0 ? authority : authority.substring(0, colon);
    if (colon >= 0 && !isPort(authority.substring(colon + 1))) {
      throw refused(
          authority,
          "the port '" + authority.substring(colon + 1) + "' is not a number from 0 to 65535");
    }
    if (!(host.startsWith("[") ? isLiteral(host) : isName(host))) {
      throw refused(
          authority,
          host.isEmpty()
              ? "the host is missing"
              : "'" + host + "' is not a host name, an IPv4 address or [IPv6 address]");
    }
  }

  private static IllegalArgumentException refused(String authority, String why) {
    return new IllegalArgumentException(
        "'" + authority + "' is not an authority (host or host:port, RFC 3986 §3.2): " + why);
  }

  /** An empty port is valid, too. */
  private static boolean isPort(String text) {
    int number = 0;
    for (int at = 0; at < text.length(); at++) {
      int digit = text.charAt(at) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      number = number * 10 + digit;
      if (number > LARGEST_PORT) {
        return false;
      }
    }
    return true;
  }

  /** A registered name or an IPv4 address. */
  private static boolean isName(String host) {
    int at = 0;
    while (at < host.length()) {
      char c = host.charAt(at);
      if (c == '%') {
        if (at + 2 >= host.length() || !isHex(host.charAt(at + 1)) || !isHex(host.charAt(at + 2))) {
          return false;
        }
        at += 2;
      } else if (!isLetterOrDigit(c) && NAME_SIGNS.indexOf(c) < 0) {
        return false;
      }
      at++;
    }
    return at > 0;
  }

  /**
   * The text in brackets: an IPv6 address, with or without a zone, or an address of a future
   * version.
   */
  private static boolean isLiteral(String host) {
    if (host.matches(FUTURE)) {
      return true;
    }
    try {
      return new URI("//" + host.replaceFirst(ZONE, "")).parseServerAuthority().getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  }

  private static boolean isHex(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  }
}
