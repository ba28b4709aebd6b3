package dev.gannet.transport.http2;

import java.nio.ByteBuffer;

/**
 * What arrived and was not looked at yet, because the peer had its share of this pass or has left
 * too many answers unread.
 *
 * <p>No more is read into it than was under way when reading stopped. That may come in many small
 * pieces, as TLS has records: memory grows by doubling, and each octet is copied twice or so.
 */
final class PendingInput {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** From the position to the limit what is kept; room for more lies behind. */
  private ByteBuffer bytes = NOTHING;

  boolean isEmpty() {
    return !bytes.hasRemaining();
  }

  /** Keeps what is left in the buffer behind what is here already. */
  void add(ByteBuffer rest) {
    int added = rest.remaining();
    if (bytes.capacity() - bytes.limit() < added) {
      int all = bytes.remaining() + added;
      int room = isEmpty() ? all : 2 * all;
      bytes = ByteBuffer.allocate(room).put(bytes).flip();
    }
    int end = bytes.limit();
    bytes.limit(end + added);
    bytes.put(end, rest, rest.position(), added);
    rest.position(rest.limit());
  }

  /** The memory that it takes. */
  int heldBytes() {
    return bytes.capacity();
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
