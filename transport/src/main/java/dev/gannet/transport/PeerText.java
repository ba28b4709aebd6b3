package dev.gannet.transport;

/**
 * Makes a text from the peer fit for a log line or a status: short, on one line, and without
 * invisible characters.
 */
public final class PeerText {
  private static final int LONGEST = 200;

  private PeerText() {}

  /**
   * At most 200 characters of the text, followed by an ellipsis if there were more; control and
   * format characters become question marks.
   */
  public static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    int at = 0;
    for (int count = 0; at < text.length() && count < LONGEST; count++) {
      int c = text.codePointAt(at);
      safe.appendCodePoint(isVisible(c) ? c : '?');
      at += Character.charCount(c);
    }
    return at < text.length() ? safe.append('…').toString() : safe.toString();
  }

  private static boolean isVisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
