package dev.gannet.protocol;

import java.nio.ByteBuffer;

/** RFC 1952. */
final class GzipEncoding implements MessageEncoding {
  private static final String NAME = "gzip";

  @Override
  public String wireName() {
    return NAME;
  }

  @Override
  public ByteBuffer decode(
      ByteBuffer message, int maxMessageBytes, int maxRatio, ArraySource arrays) {
    return GzipReader.read(message, maxMessageBytes, maxRatio, arrays)
        .message(maxMessageBytes, maxRatio);
  }

  /** By what its last member says. One that holds more stops at 4 KiB or 16 times what came. */
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
    return (int) GzipReader.saidBytes(frame); // what GzipWriter has made has one member
  }

  @Override
  public String toString() {
    return NAME;
  }
}
