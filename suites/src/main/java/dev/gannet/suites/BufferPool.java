package dev.gannet.suites;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The memory of a network: lent to writers, overwritten when it comes back, and counted, so that
 * buffers that are never given back are noticed.
 */
final class BufferPool {
  private static final int CHUNK_BYTES = 1 << 11;
  private static final int MAX_KEPT = 32;
  private static final byte SPOILT = (byte) 0xa5; // a value that no code may still rely on

  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private int lent;

  /** An empty buffer of at least this many bytes. */
  ByteBuffer lend(int bytes) {
    lent++;
    ByteBuffer kept = free.peek();
    if (kept != null && kept.capacity() >= bytes) {
      return free.remove();
    }
    return ByteBuffer.allocate(Math.max(bytes, CHUNK_BYTES));
  }

  /** Takes a buffer back and overwrites what was written into it, up to that position. */
  void takeBack(ByteBuffer buffer, int usedBytes) {
    lent--;
    spoil(buffer, 0, usedBytes);
    if (free.size() < MAX_KEPT) {
      free.add(buffer.clear());
    }
  }

  static void spoil(ByteBuffer buffer, int from, int to) {
    int start = buffer.arrayOffset();
    Arrays.fill(buffer.array(), start + from, start + to, SPOILT);
  }

  /** How many buffers are lent. */
  int lent() {
    return lent;
  }
}
