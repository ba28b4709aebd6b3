package dev.gannet.protocol;

import dev.gannet.api.StatusException;
import java.nio.ByteBuffer;

/**
 * How messages are compressed (PROTOCOL-HTTP2, Message-Encoding). Which ones a program knows, and
 * by what names, its {@link MessageEncodings} say. Immutable, and compared by identity.
 */
public sealed interface MessageEncoding permits PlainEncoding, GzipEncoding, AddedEncoding {
  /** Not at all. */
  MessageEncoding IDENTITY = new PlainEncoding();

  /** RFC 1952, each message on its own. */
  MessageEncoding GZIP = new GzipEncoding();

  /** A message may be any number of times as long as it came, within its limit. */
  int ANY_RATIO = Integer.MAX_VALUE;

  /** Its name in {@code grpc-encoding} and {@code grpc-accept-encoding}. */
  String wireName();

  /**
   * A message as it was before it was compressed; with {@link #IDENTITY} the same buffer.
   *
   * @param maxMessageBytes how long it may be, 0 to {@link MessageFrame#MAX_MESSAGE_BYTES};
   *     decompressing stops there
   * @param maxRatio how many times as long as it came it may be, if it is over 4 MiB; 1 or more
   * @param arrays what it is decompressed into; where that was done, the buffer's array is the
   *     caller's to give back
   * @throws StatusException {@code RESOURCE_EXHAUSTED} if it is longer; {@code INTERNAL} if it
   *     cannot be decompressed
   */
  ByteBuffer decode(ByteBuffer message, int maxMessageBytes, int maxRatio, ArraySource arrays);

  /**
   * How long {@link #decode} will make the message, in bytes, by what it says itself; known before
   * any of it is decompressed. One that holds more fails before it has made much more than that.
   * One that is refused without any work counts nothing.
   *
   * @param maxMessageBytes how long it may be
   */
  int decodedBytes(ByteBuffer message, int maxMessageBytes);

  /** What {@link MessageFrame#compressed} says. */
  ByteBuffer compress(ByteBuffer frame);

  /** How long the message of a frame is before compression, in bytes. */
  int messageBytes(ByteBuffer frame);

  /**
   * Whether a peer that sent this {@code grpc-accept-encoding} reads that encoding. Every peer
   * reads {@link #IDENTITY}.
   *
   * @param acceptEncoding names with commas, and perhaps spaces, between them; empty where the peer
   *     sent none
   */
  static boolean accepts(String acceptEncoding, MessageEncoding wanted) {
    if (wanted == IDENTITY) {
      return true;
    }
    String name = wanted.wireName();
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
