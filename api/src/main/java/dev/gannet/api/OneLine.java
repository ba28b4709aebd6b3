package dev.gannet.api;

import java.util.HexFormat;

/** Text from anywhere, made fit for a line of a log. */
final class OneLine {
  private OneLine() {}

  /**
   * The text with its line breaks, control and format characters written as Java writes them, as in
   * {@code \n} and {@code \u001b}.
   */
  static String of(String text) {
    return text.chars().allMatch(OneLine::isPlain) ? text : escaped(text);
  }

  private static String escaped(String text) {
    StringBuilder line = new StringBuilder();
    text.chars().forEach(c -> line.append(escaped((char) c)));
    return line.toString();
  }

  private static String escaped(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> isPlain(c) ? String.valueOf(c) : "\\u" + HexFormat.of().toHexDigits(c);
    };
  }

  private static boolean isPlain(int c) {
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
