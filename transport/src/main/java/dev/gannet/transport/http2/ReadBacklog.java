package dev.gannet.transport.http2;

import java.nio.ByteBuffer;

/**
 * What arrived and was not looked at yet, because the peer had its share of this pass or has left
 * too many answers unread.
 *
 * <p>No more is read into it than was under way when reading stopped.
 */
final class ReadBacklog {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private ByteBuffer bytes = NOTHING;

  boolean isEmpty() {
    return !bytes.hasRemaining();
  }

  /** Keeps what is left in the buffer behind what is here already. */
  void add(ByteBuffer rest) {
    ByteBuffer all = ByteBuffer.allocate(bytes.remaining() + rest.remaining());
    bytes = all.put(bytes).put(rest).flip();
  }

  /** What is kept; to be read from its position on. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Forgets what is left: nobody is there any more to answer. */
  void drop() {
    bytes = NOTHING;
  }

  /** Frees the memory once all is read. */
  void trim() {
    if (isEmpty()) {
      bytes = NOTHING;
    }
  }
}
