package dev.gannet.http2;

import java.nio.ByteBuffer;

/** Where a connection writes its frames: memory that belongs to whoever moves the bytes on. */
public interface ByteSink {
  /**
   * A buffer with at least that much room between position and limit. What is written from its
   * position on is kept, in order; the buffer is good until the next call.
   */
  ByteBuffer room(int bytes);

  /** Whether more DATA should be written now; no where much is still waiting to leave. */
  boolean wantsMore();
}
