package dev.gannet.protocol;

import java.nio.ByteBuffer;

/** The gzip encoding (RFC 1952). */
final class GzipEncoding implements MessageEncoding {
  private static final String NAME = "gzip";

  @Override
  public String wireName() {
    return NAME;
  }

  @Override
  public ByteBuffer decode(
      ByteBuffer message,
      int maxMessageBytes,
      int maxRatio,
      MessageSizeLimit limit,
      ArraySource arrays) {
    return GzipReader.read(message, maxMessageBytes, maxRatio, arrays)
        .message(maxMessageBytes, maxRatio, limit);
  }

  /**
   * By the length in its last member. A message that contains more may grow to 4 KiB or 16 times
   * its compressed size.
   */
  @Override
  public int decodedBytes(ByteBuffer message, int maxMessageBytes) {
    long said = GzipReader.saidBytes(message);
    return said <= maxMessageBytes ? (int) said : 0;
  }

  @Override
  public ByteBuffer compress(ByteBuffer frame) {
    return MessageFrame.withPrefix(
        GzipWriter.write(frame.position(MessageFrame.PREFIX_BYTES), MessageFrame.PREFIX_BYTES),
        MessageFrame.COMPRESSED);
  }

  @Override
  public int messageBytes(ByteBuffer frame) {
    return (int) GzipReader.saidBytes(frame); // GzipWriter creates one member
  }

  @Override
  public String toString() {
    return NAME;
  }
}
