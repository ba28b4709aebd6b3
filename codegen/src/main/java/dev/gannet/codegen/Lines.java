package dev.gannet.codegen;

import java.util.List;

/** Wraps generated code that does not fit into one line. */
final class Lines {
  private static final int COLUMNS = 100;
  private static final int CONTINUATION_COLUMNS = 4;

  private Lines() {}

  /**
   * A call or a declaration: on one line if it fits, otherwise with its arguments on a second line,
   * otherwise with one line for each argument.
   *
   * @param indentColumns how far it will be indented
   * @param head up to and including the opening parenthesis
   * @param tail the closing parenthesis and what follows
   */
  static String call(int indentColumns, String head, List<String> arguments, String tail) {
    String flat = String.join(", ", arguments) + tail;
    if (indentColumns + head.length() + flat.length() <= COLUMNS) {
      return head + flat;
    }
    String indent = "\n" + " ".repeat(CONTINUATION_COLUMNS);
    if (indentColumns + CONTINUATION_COLUMNS + flat.length() <= COLUMNS) {
      return head + indent + flat;
    }
    return head + indent + String.join("," + indent, arguments) + tail;
  }

  /** The given groups of lines, with an empty line between groups. */
  static String paragraphs(List<String> groups) {
    return String.join("\n\n", groups.stream().map(String::stripTrailing).toList());
  }
}
