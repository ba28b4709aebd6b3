package dev.gannet.api;

import java.nio.ByteBuffer;

/** The destination for one serialized message of a {@link Marshaller}. */
@FunctionalInterface
public interface MessageSink {
  /**
   * Returns a buffer for the whole message; must be called exactly once per message. The caller
   * fills the buffer from position to limit before it returns.
   *
   * @param sizeBytes the exact size of the message, 0 or more
   */
  ByteBuffer reserve(int sizeBytes);
}
