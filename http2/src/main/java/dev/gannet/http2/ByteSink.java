package dev.gannet.http2;

import java.nio.ByteBuffer;

/**
 * Where a connection writes its frames. The memory belongs to the owner of the sink, which sends
 * the bytes.
 */
public interface ByteSink {
  /** The {@link #wireMark} of a sink in which nothing waits. */
  long NOTHING_WAITS = 0;

  /**
   * A buffer with at least this many bytes between position and limit. What is written from its
   * position on is kept, in order; the buffer is valid until the next call.
   */
  ByteBuffer reserve(int bytes);

  /** Whether more DATA should be written now; false if much still waits to be sent. */
  boolean wantsMore();

  /**
   * The progress of sending: {@link #NOTHING_WAITS}, or a number that changes whenever any of the
   * waiting bytes are sent. By default, nothing ever waits.
   */
  default long wireMark() {
    return NOTHING_WAITS;
  }
}
