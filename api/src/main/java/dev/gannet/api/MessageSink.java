package dev.gannet.api;

import java.nio.ByteBuffer;

/** Where a {@link Marshaller} puts one message. */
public interface MessageSink {
  /**
   * Room for the whole message; to be called exactly once per message. Whoever asked fills the
   * buffer from position to limit before returning.
   *
   * @param sizeBytes the exact size of the message, 0 or more
   */
  ByteBuffer reserve(int sizeBytes);
}
