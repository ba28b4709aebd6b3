package dev.gannet.api;

import java.util.HexFormat;
import java.util.stream.Collectors;

/** Converts any text to a single line for logs. */
final class OneLine {
  private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
  private static final int ZERO_WIDTH_JOINER = 0x200d;

  private OneLine() {}

  /**
   * The text with its line breaks, control and format characters written as escapes, such as {@code
   * \n} and {@code \u001b}; except for the joiners that words of some languages need.
   */
  static String of(String text) {
    return text.codePoints().allMatch(OneLine::isPlain) ? text : escaped(text);
  }

  private static String escaped(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints().forEach(c -> line.append(escaped(c)));
    return line.toString();
  }

  private static String escaped(int c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> isPlain(c) ? Character.toString(c) : units(c);
    };
  }

  private static String units(int c) {
    return Character.toString(c)
        .chars()
        .mapToObj(unit -> "\\u" + HexFormat.of().toHexDigits((char) unit))
        .collect(Collectors.joining());
  }

  private static boolean isPlain(int c) {
    return c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER || isVisible(c);
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
