package dev.gannet.fuzz.targets;

import java.util.Arrays;
import java.util.regex.Pattern;

/** RFC 3986 §3.2.2 and §3.2.3 as regular expressions, with the tolerated exceptions. */
final class PlainAuthority {
  private static final String GROUP = "[0-9A-Fa-f]{1,4}";
  private static final String PART = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String LAST = "(?:G:G|P\\.P\\.P\\.P)".replace("G", GROUP).replace("P", PART);
  private static final Pattern IPV6 =
      Pattern.compile(
          ("(?:G:){6}L|::(?:G:){5}L|(?:G)?::(?:G:){4}L|(?:(?:G:){0,1}G)?::(?:G:){3}L"
                  + "|(?:(?:G:){0,2}G)?::(?:G:){2}L|(?:(?:G:){0,3}G)?::G:L|(?:(?:G:){0,4}G)?::L"
                  + "|(?:(?:G:){0,5}G)?::G|(?:(?:G:){0,6}G)?::")
              .replace("L", LAST)
              .replace("G", GROUP));
  private static final Pattern FUTURE =
      Pattern.compile("[vV][0-9A-Fa-f]+\\.[0-9A-Za-z._~!$&'()*+;=:-]+");
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z._~!$&'()*+;=-]*");
  private static final Pattern ZONE = Pattern.compile("[0-9A-Za-z._~-]+");
  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");
  private static final Pattern PORT = Pattern.compile("(?::0*[0-9]{0,5})?");
  private static final int LARGEST_PORT = 65_535;

  private PlainAuthority() {}

  /** Whether a text consists of hosts with optional ports, separated by commas. */
  static boolean isSound(String text) {
    return Arrays.stream(text.split(",", -1)).allMatch(PlainAuthority::isOne);
  }

  private static boolean isOne(String text) {
    if (IPV6.matcher(text).matches()) {
      return true;
    }
    boolean literal = text.startsWith("[");
    int end = literal ? text.indexOf(']') + 1 : text.indexOf(':');
    if (literal && end == 0) {
      return false;
    }
    String host = end < 0 ? text : text.substring(0, end);
    String port = end < 0 ? "" : text.substring(end);
    return isPort(port) && (literal ? isLiteral(host.substring(1, end - 1)) : isOf(NAME, host));
  }

  private static boolean isPort(String port) {
    return PORT.matcher(port).matches()
        && (port.length() <= 1
            || Long.parseLong("0" + port.replaceFirst(":0*", "")) <= LARGEST_PORT);
  }

  private static boolean isLiteral(String text) {
    int zone = text.indexOf("%25");
    return FUTURE.matcher(text).matches()
        || IPV6.matcher(text).matches()
        || (zone >= 0
            && IPV6.matcher(text.substring(0, zone)).matches()
            && isOf(ZONE, text.substring(zone + 3)));
  }

  private static boolean isOf(Pattern signs, String text) {
    return signs.matcher(ENCODED.matcher(text).replaceAll("x")).matches();
  }
}
