package dev.gannet.http2.connection;

/**
 * The ids of streams that we reset lately: frames that were on their way to them are no offence
 * (RFC 9113 §5.1). Remembers so many and no more.
 */
final class ResetMemory {
  private static final int REMEMBERED = 128; // power of two

  private final int[] ids = new int[REMEMBERED];
  private int next;

  void add(int streamId) {
    ids[next++ & REMEMBERED - 1] = streamId;
  }

  boolean contains(int streamId) {
    for (int id : ids) {
      if (id == streamId) {
        return true;
      }
    }
    return false;
  }
}
