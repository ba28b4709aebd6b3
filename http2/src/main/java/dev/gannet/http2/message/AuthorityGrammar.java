package dev.gannet.http2.message;

/**
 * Decides which texts name a host with an optional port, as {@code :authority} and {@code host} do
 * (RFC 3986 §3.2.2, §3.2.3).
 *
 * <pre>
 *   host [ ":" port ]     host = name | IPv4 address | "[" IPv6 address or future "]"
 * </pre>
 *
 * <p>User information is rejected (RFC 9113 §8.3.1), and so is a port above 65535. Three forms are
 * accepted because gRPC clients send them: a list with commas (C++ and Python send the target
 * {@code ipv4:192.0.2.1:1,192.0.2.2:2} so), an IPv6 address without brackets (Go, for a target
 * without a port), and a zone in brackets (RFC 6874). An empty text is accepted, too.
 */
final class AuthorityGrammar {
  private static final int ASCII = 0x80;

  /** What a name may contain besides percent-encoded bytes and the comma. */
  private static final boolean[] NAME_OCTETS = octets("-._~!$&'()*+;=");

  private static final boolean[] FUTURE_OCTETS = octets("-._~!$&'()*+;=:");
  private static final boolean[] ZONE_OCTETS = octets("-._~");
  private static final String ZONE_BEGIN = "%25";
  private static final int MAX_PORT = 65_535;
  private static final int IPV6_GROUPS = 8;
  private static final int GROUPS_OF_IPV4 = 2;
  private static final int IPV4_PARTS = 4;
  private static final int LARGEST_IPV4_PART = 255;
  private static final int GROUP_DIGITS = 4;

  private AuthorityGrammar() {}

  /** Whether the whole text is an authority. */
  static boolean matches(String text) {
    int begin = 0;
    int comma = text.indexOf(',');
    while (comma >= 0) {
      if (!isOne(text, begin, comma)) {
        return false;
      }
      begin = comma + 1;
      comma = text.indexOf(',', begin);
    }
    return isOne(text, begin, text.length());
  }

  private static boolean isOne(String text, int begin, int end) {
    if (begin < end && text.charAt(begin) == '[') {
      int close = text.indexOf(']', begin, end);
      return close > 0
          && isLiteral(text, begin + 1, close)
          && (close + 1 == end || isPort(text, close + 1, end));
    }
    int colon = text.indexOf(':', begin, end);
    if (colon < 0) {
      return isName(text, begin, end, NAME_OCTETS);
    }
    return (isName(text, begin, colon, NAME_OCTETS) && isPort(text, colon, end))
        || isIpv6(text, begin, end);
  }

  /** A table of letters, digits and those characters. */
  private static boolean[] octets(String signs) {
    boolean[] octets = new boolean[ASCII];
    for (char c = 0; c < ASCII; c++) {
      boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
      octets[c] = letter || isDigit(c) || signs.indexOf(c) >= 0;
    }
    return octets;
  }

  /** Whether the range has only such bytes and percent-encoded ones; it may be empty. */
  private static boolean isName(String text, int begin, int end, boolean[] octets) {
    int at = begin;
    while (at < end) {
      char c = text.charAt(at);
      if (c == '%') {
        if (at + 2 >= end || !isHex(text.charAt(at + 1)) || !isHex(text.charAt(at + 2))) {
          return false;
        }
        at += 2;
      } else if (c >= ASCII || !octets[c]) {
        return false;
      }
      at++;
    }
    return true;
  }

  /** Whether the rest is empty, or a colon and a port number. */
  private static boolean isPort(String text, int colon, int end) {
    return text.charAt(colon) == ':' && isNumberUpTo(MAX_PORT, text, colon + 1, end);
  }

  private static boolean isNumberUpTo(int most, String text, int begin, int end) {
    int number = 0;
    for (int at = begin; at < end; at++) {
      char c = text.charAt(at);
      if (!isDigit(c)) {
        return false;
      }
      number = number * 10 + c - '0';
      if (number > most) {
        return false;
      }
    }
    return true;
  }

  /** Whether the text in brackets is an address. */
  private static boolean isLiteral(String text, int begin, int end) {
    if (begin < end && (text.charAt(begin) | 0x20) == 'v') {
      return isFuture(text, begin + 1, end);
    }
    int zone = text.indexOf(ZONE_BEGIN, begin, end);
    if (zone < 0) {
      return isIpv6(text, begin, end);
    }
    int name = zone + ZONE_BEGIN.length();
    return isIpv6(text, begin, zone) && name < end && isName(text, name, end, ZONE_OCTETS);
  }

  /** An address of a future version, after its {@code v}. */
  private static boolean isFuture(String text, int begin, int end) {
    int dot = begin;
    while (dot < end && isHex(text.charAt(dot))) {
      dot++;
    }
    if (dot == begin || dot + 1 >= end || text.charAt(dot) != '.') {
      return false;
    }
    for (int at = dot + 1; at < end; at++) {
      char c = text.charAt(at);
      if (c >= ASCII || !FUTURE_OCTETS[c]) {
        return false;
      }
    }
    return true;
  }

  /** Eight groups of hexadecimal digits; one {@code ::} may stand for the missing zero groups. */
  private static boolean isIpv6(String text, int begin, int end) {
    int groups = 0;
    boolean gap = false;
    int at = begin;
    if (text.startsWith("::", begin)) {
      gap = true;
      at += 2;
    }
    while (at < end && groups < IPV6_GROUPS) {
      int colon = text.indexOf(':', at, end);
      int groupEnd = colon < 0 ? end : colon;
      if (groupEnd == end && isIpv4(text, at, end)) {
        groups += GROUPS_OF_IPV4;
      } else if (isGroup(text, at, groupEnd)) {
        groups++;
      } else {
        return false;
      }
      at = groupEnd;
      if (at < end) { // at a colon, which is one of two or has a group after it
        at++;
        if (at == end || (text.charAt(at) == ':' && gap)) {
          return false;
        }
        if (text.charAt(at) == ':') {
          gap = true;
          at++;
        }
      }
    }
    return at == end && (gap ? groups < IPV6_GROUPS : groups == IPV6_GROUPS);
  }

  private static boolean isGroup(String text, int begin, int end) {
    for (int at = begin; at < end; at++) {
      if (!isHex(text.charAt(at))) {
        return false;
      }
    }
    return end > begin && end - begin <= GROUP_DIGITS;
  }

  /** Four numbers up to 255, without leading zeros. */
  private static boolean isIpv4(String text, int begin, int end) {
    int parts = 0;
    int at = begin;
    while (at <= end) {
      int dot = text.indexOf('.', at, end);
      int partEnd = dot < 0 ? end : dot;
      boolean zeroFirst = partEnd > at + 1 && text.charAt(at) == '0';
      if (partEnd == at || zeroFirst || !isNumberUpTo(LARGEST_IPV4_PART, text, at, partEnd)) {
        return false;
      }
      parts++;
      at = partEnd + 1;
    }
    return parts == IPV4_PARTS;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHex(char c) {
    return isDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  }
}
