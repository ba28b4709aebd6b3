package dev.gannet.transport;

/**
 * Words of the peer's, made fit for a log line or a status of ours: short, on one line, and without
 * characters that nobody sees.
 */
public final class PeerText {
  private static final int LONGEST = 200;

  private PeerText() {}

  /** At most 200 characters of the text; control and format characters become question marks. */
  public static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints().limit(LONGEST).forEach(c -> safe.appendCodePoint(isVisible(c) ? c : '?'));
    return safe.toString();
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
