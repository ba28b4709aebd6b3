package dev.gannet.transport.netty;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.nio.ByteBuffer;

/** Messages as they are. */
final class Bytes implements Marshaller<byte[]> {
  @Override
  public void write(byte[] message, MessageSink sink) {
    sink.reserve(message.length).put(message);
  }

  @Override
  public byte[] parse(ByteBuffer bytes) {
    byte[] message = new byte[bytes.remaining()];
    bytes.get(message);
    return message;
  }
}
