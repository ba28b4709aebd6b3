package dev.gannet.protocol;

import java.nio.ByteBuffer;

/** RFC 1952. */
final class GzipEncoding extends MessageEncoding {
  GzipEncoding() {
    super("gzip");
  }

  @Override
  public ByteBuffer decode(
      ByteBuffer message, int maxMessageBytes, int maxRatio, ArraySource arrays) {
    return plain(
        GzipReader.read(message, maxMessageBytes, maxRatio, arrays), maxMessageBytes, maxRatio);
  }

  /** By what its last member says. One that holds more stops at 4 KiB or 16 times what came. */
  @Override
  public int decodedBytes(ByteBuffer message, int maxMessageBytes) {
    long said = GzipReader.saidBytes(message);
    return said <= maxMessageBytes ? (int) said : 0;
  }

  @Override
  ByteBuffer compress(ByteBuffer frame) {
    return MessageFrame.withPrefix(
        GzipWriter.write(frame.position(MessageFrame.PREFIX_BYTES), MessageFrame.PREFIX_BYTES),
        MessageFrame.COMPRESSED);
  }

  @Override
  int messageBytes(ByteBuffer frame) {
    return (int) GzipReader.saidBytes(frame); // what GzipWriter has made has one member
  }
}
