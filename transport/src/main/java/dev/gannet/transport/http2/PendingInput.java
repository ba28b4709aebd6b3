package dev.gannet.transport.http2;

import java.nio.ByteBuffer;

/**
 * Bytes that have arrived and were not parsed yet, because the peer has used its share of this pass
 * or has left too many answers unread.
 *
 * <p>After reading has stopped, only what was already on its way is added. It may arrive in many
 * small pieces, such as TLS records: the buffer grows by doubling, so each byte is copied about
 * twice.
 */
final class PendingInput {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** The bytes from position to limit are kept; free space follows. */
  private ByteBuffer bytes = NOTHING;

  boolean isEmpty() {
    return !bytes.hasRemaining();
  }

  /** Appends the remaining bytes of the buffer. */
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

  /** The memory that the buffer takes. */
  int heldBytes() {
    return bytes.capacity();
  }

  /** The kept bytes, to be read from the buffer's position. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Drops the rest, because the peer cannot be answered any more. */
  void drop() {
    bytes = NOTHING;
  }

  /** Frees the memory once everything is read. */
  void trim() {
    if (isEmpty()) {
      bytes = NOTHING;
    }
  }
}
