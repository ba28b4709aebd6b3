package dev.gannet.transport.http2;

/**
 * Words of the peer's, made fit for a log line or a status of ours: short, on one line, without
 * control characters.
 */
final class PeerText {
  private static final int LONGEST = 200;

  private PeerText() {}

  static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints()
        .limit(LONGEST)
        .forEach(c -> safe.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return safe.toString();
  }
}
