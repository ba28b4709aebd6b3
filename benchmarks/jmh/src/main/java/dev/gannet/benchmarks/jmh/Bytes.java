package dev.gannet.benchmarks.jmh;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.nio.ByteBuffer;

/** Gannet's marshaller of arrays. */
public final class Bytes implements Marshaller<byte[]> {
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
