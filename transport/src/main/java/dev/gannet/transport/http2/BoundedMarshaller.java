package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.nio.ByteBuffer;

/**
 * Writes messages as another marshaller does, up to a maximum length. It detects a longer message
 * before memory for it is allocated.
 */
record BoundedMarshaller<T>(Marshaller<T> marshaller, int maxBytes) implements Marshaller<T> {
  /** The message is too long; nothing of it was written. */
  static final class MessageTooLongException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int bytes;

    MessageTooLongException(int bytes) {
      super("message of " + bytes + " bytes", null, false, false);
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }
  }

  @Override
  public void write(T message, MessageSink sink) {
    marshaller.write(message, bytes -> reserve(bytes, sink));
  }

  private ByteBuffer reserve(int bytes, MessageSink sink) {
    if (bytes > maxBytes) {
      throw new MessageTooLongException(bytes);
    }
    return sink.reserve(bytes);
  }

  @Override
  public T parse(ByteBuffer bytes) {
    return marshaller.parse(bytes);
  }
}
