package dev.gannet.protocol;

import java.nio.ByteBuffer;

/** No compression. */
final class PlainEncoding implements MessageEncoding {
  private static final String NAME = "identity";

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
    return message;
  }

  @Override
  public int decodedBytes(ByteBuffer message, int maxMessageBytes) {
    return message.remaining();
  }

  @Override
  public ByteBuffer compress(ByteBuffer frame) {
    return frame;
  }

  @Override
  public int messageBytes(ByteBuffer frame) {
    return MessageFrame.wireBytes(frame);
  }

  @Override
  public String toString() {
    return NAME;
  }
}
