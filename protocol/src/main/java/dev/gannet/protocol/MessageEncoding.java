package dev.gannet.protocol;

import dev.gannet.api.StatusException;
import java.nio.ByteBuffer;

/**
 * A compression of messages (PROTOCOL-HTTP2, Message-Encoding). {@link MessageEncodings} has those
 * that a process knows, by name. Immutable, and compared by identity.
 */
public sealed interface MessageEncoding permits PlainEncoding, GzipEncoding, AddedEncoding {
  /** No compression. */
  MessageEncoding IDENTITY = new PlainEncoding();

  /** Gzip (RFC 1952), for each message separately. */
  MessageEncoding GZIP = new GzipEncoding();

  /** A message may be any number of times as long as its compressed form, within its limit. */
  int ANY_RATIO = Integer.MAX_VALUE;

  /** Its name in {@code grpc-encoding} and {@code grpc-accept-encoding}. */
  String wireName();

  /**
   * A message as it was before it was compressed; with {@link #IDENTITY} the same buffer.
   *
   * @param maxMessageBytes how long it may be, 0 to {@link MessageFrame#MAX_MESSAGE_BYTES};
   *     decompressing stops there
   * @param maxRatio how many times as long as its compressed form it may be, if it is over 4 MiB; 1
   *     or more
   * @param limit what {@code maxMessageBytes} is, for the status of a longer one
   * @param arrays the source of the array that it is decompressed into; the caller may give that
   *     array back
   * @throws StatusException {@code RESOURCE_EXHAUSTED} if it is longer; {@code INTERNAL} if it
   *     cannot be decompressed
   */
  ByteBuffer decode(
      ByteBuffer message,
      int maxMessageBytes,
      int maxRatio,
      MessageSizeLimit limit,
      ArraySource arrays);

  /**
   * How long {@link #decode} will make the message, in bytes, by its declared length; known before
   * any of it is decompressed. A message that contains more fails soon after that length. A message
   * that is rejected without any work counts 0.
   *
   * @param maxMessageBytes how long it may be
   */
  int decodedBytes(ByteBuffer message, int maxMessageBytes);

  /** See {@link MessageFrame#compressed}. */
  ByteBuffer compress(ByteBuffer frame);

  /** How long the message of a frame is before compression, in bytes. */
  int messageBytes(ByteBuffer frame);

  /**
   * Whether a peer that sent this {@code grpc-accept-encoding} accepts that encoding. Every peer
   * accepts {@link #IDENTITY}.
   *
   * @param acceptEncoding names separated by commas and optional spaces; empty if the peer sent
   *     none
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
   * Whether a name may begin or end here: there are only spaces up to the next comma or the end of
   * the text.
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
