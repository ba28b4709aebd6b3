package dev.gannet.protocol;

import java.util.Optional;

/**
 * How messages are compressed: the values of {@code grpc-encoding} and {@code grpc-accept-encoding}
 * that are understood (PROTOCOL-HTTP2, Message-Encoding).
 */
public enum MessageEncoding {
  /** Not at all. */
  IDENTITY("identity"),

  /** RFC 1952, each message on its own. */
  GZIP("gzip");

  /** What is sent as {@code grpc-accept-encoding}: all of them. */
  public static final String ACCEPT = "identity,gzip";

  private final String wireName;
  private final Optional<MessageEncoding> itself;

  MessageEncoding(String wireName) {
    this.wireName = wireName;
    this.itself = Optional.of(this);
  }

  /** Its name in both fields. */
  public String wireName() {
    return wireName;
  }

  /** The encoding with exactly that name; empty if it is not understood. */
  public static Optional<MessageEncoding> of(String name) {
    if (name.equals(IDENTITY.wireName)) {
      return IDENTITY.itself;
    }
    return name.equals(GZIP.wireName) ? GZIP.itself : Optional.empty();
  }

  /**
   * Whether a peer that sent this {@code grpc-accept-encoding} reads that encoding. Every peer
   * reads {@link #IDENTITY}.
   *
   * @param acceptEncoding names with commas, and perhaps spaces, between them; empty where the peer
   *     sent none
   */
  public static boolean accepts(String acceptEncoding, MessageEncoding wanted) {
    if (wanted == IDENTITY) {
      return true;
    }
    String name = wanted.wireName;
    int at = acceptEncoding.indexOf(name);
    while (at >= 0) {
      int end = at + name.length();
      if (isBoundary(acceptEncoding, at - 1, -1) && isBoundary(acceptEncoding, end, 1)) {
        return true;
      }
      at = acceptEncoding.indexOf(name, end);
    }
    return false;
  }

  /**
   * Whether a name may begin or end here: nothing but spaces up to the next comma or the text's
   * end.
   */
  private static boolean isBoundary(String text, int from, int step) {
    int at = from;
    while (at >= 0 && at < text.length() && isSpace(text.charAt(at))) {
      at += step;
    }
    return at < 0 || at == text.length() || text.charAt(at) == ',';
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
