package dev.gannet.http2.connection;

import java.util.Arrays;

/**
 * The ids of streams that we reset lately: frames that were on their way to them are no offence
 * (RFC 9113 §5.1). Remembers so many and no more.
 */
final class ResetMemory {
  private static final int FIRST_CAPACITY = 16;
  private static final int NO_STREAM = 0;

  /**
   * Four times the streams that are open at once by default: late frames of all of them are known.
   */
  private static final int MOST = 1024;

  private int[] ids = new int[FIRST_CAPACITY];
  private int size;
  private int oldest;

  void add(int streamId) {
    if (size < MOST) {
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, size * 2);
      }
      ids[size++] = streamId;
    } else {
      ids[oldest] = streamId;
      oldest = (oldest + 1) % MOST;
    }
  }

  boolean contains(int streamId) {
    return placeOf(streamId) >= 0;
  }

  /** Forgets a stream: its peer has said its last on it, so nothing is on its way any more. */
  void remove(int streamId) {
    int place = placeOf(streamId);
    if (place >= 0) {
      ids[place] = NO_STREAM;
    }
  }

  private int placeOf(int streamId) {
    for (int i = 0; i < size; i++) {
      if (ids[i] == streamId) {
        return i;
      }
    }
    return -1;
  }
}
