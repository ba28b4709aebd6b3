package dev.gannet.protocol;

import java.nio.ByteBuffer;

/** No compression. */
final class PlainEncoding extends MessageEncoding {
  PlainEncoding() {
    super("identity");
  }

  @Override
  public ByteBuffer decode(
      ByteBuffer message, int maxMessageBytes, int maxRatio, ArraySource arrays) {
    return message;
  }

  @Override
  public int decodedBytes(ByteBuffer message, int maxMessageBytes) {
    return message.remaining();
  }

  @Override
  ByteBuffer compress(ByteBuffer frame) {
    return frame;
  }

  @Override
  int messageBytes(ByteBuffer frame) {
    return MessageFrame.wireBytes(frame);
  }
}
