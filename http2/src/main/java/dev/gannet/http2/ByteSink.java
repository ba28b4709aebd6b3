package dev.gannet.http2;

import java.nio.ByteBuffer;

/** Where a connection writes its frames: memory that belongs to whoever moves the bytes on. */
public interface ByteSink {
  /** The {@link #wireMark} of a sink that holds nothing back. */
  long NOTHING_WAITS = 0;

  /**
   * A buffer with at least that much room between position and limit. What is written from its
   * position on is kept, in order; the buffer is good until the next call.
   */
  ByteBuffer reserve(int bytes);

  /** Whether more DATA should be written now; no where much is still waiting to leave. */
  boolean wantsMore();

  /**
   * How far the wire has come: {@link #NOTHING_WAITS}, or a number that is another one once
   * anything of what waited has left. By default, nothing ever waits.
   */
  default long wireMark() {
    return NOTHING_WAITS;
  }
}
