package dev.gannet.services;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The methods that a binary log records, and how much of each call (gRFC A16). Immutable. */
final class BinaryLogRules {
  /**
   * How much of a call is logged.
   *
   * @param headerBytes of metadata, names and values together
   * @param messageBytes of each message
   */
  record Extent(int headerBytes, int messageBytes) {}

  private static final Extent ALL = new Extent(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** A character of a name; white space would silently make another name of it. */
  private static final String CHARACTER = "[^/*{},\\s\\p{Z}\\p{C}]";

  private static final Pattern RULE =
      Pattern.compile(
          "(?<minus>-?)(?<what>\\*|(?!-)C+/(?:\\*|C+))".replace("C", CHARACTER)
              + "(?<extent>\\{(?<h>h(?::(?<hb>[0-9]+))?)?(?<semicolon>;)?(?<m>m(?::(?<mb>[0-9]+))?)?})?");
  private static final String EVERYTHING = "*";

  /** By method, by service followed by {@code /*}, or by {@code *}. Empty: not logged. */
  private final Map<String, Optional<Extent>> rules = new HashMap<>();

  private BinaryLogRules() {}

  /**
   * Parses rules in the format of {@code GRPC_BINARY_LOG_CONFIG}.
   *
   * @throws IllegalArgumentException if one of them is malformed or repeated
   */
  static BinaryLogRules parse(String text) {
    BinaryLogRules parsed = new BinaryLogRules();
    for (String rule : text.split(",", -1)) {
      parsed.add(rule);
    }
    return parsed;
  }

  private void add(String rule) {
    Matcher matcher = RULE.matcher(rule);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a rule of a binary log: " + rule);
    }
    String what = matcher.group("what");
    Optional<Extent> extent;
    if (matcher.group("minus").isEmpty()) {
      extent = Optional.of(extent(rule, matcher));
    } else if (what.endsWith(EVERYTHING) || matcher.group("extent") != null) {
      throw new IllegalArgumentException(
          "a rule that begins with - must name one method, without {...}: " + rule);
    } else {
      extent = Optional.empty();
    }
    if (rules.put(what, extent) != null) {
      throw new IllegalArgumentException("a binary log has two rules for " + what);
    }
  }

  private static Extent extent(String rule, Matcher matcher) {
    if (matcher.group("extent") == null) {
      return ALL;
    }
    boolean both = matcher.group("h") != null && matcher.group("m") != null;
    boolean any = matcher.group("h") != null || matcher.group("m") != null;
    if (!any || both != (matcher.group("semicolon") != null)) {
      throw new IllegalArgumentException("the part in braces must be {h}, {m} or {h;m}: " + rule);
    }
    return new Extent(
        bytes(rule, matcher.group("h"), matcher.group("hb")),
        bytes(rule, matcher.group("m"), matcher.group("mb")));
  }

  private static int bytes(String rule, @Nullable String part, @Nullable String number) {
    if (part == null) {
      return 0;
    }
    try {
      return number == null ? Integer.MAX_VALUE : Integer.parseInt(number);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("the number of bytes is too large: " + rule, e);
    }
  }

  /** How much of the calls of a method is logged; empty if nothing is. */
  Optional<Extent> of(String fullMethodName) {
    String service = fullMethodName.substring(0, fullMethodName.lastIndexOf('/'));
    for (String what : new String[] {fullMethodName, service + "/*", EVERYTHING}) {
      Optional<Extent> rule = rules.get(what);
      if (rule != null) {
        return rule;
      }
    }
    return Optional.empty();
  }
}
