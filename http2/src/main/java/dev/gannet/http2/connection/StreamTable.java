package dev.gannet.http2.connection;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a connection by their ids: a hash table with open addressing, without a boxed
 * key or a node per stream.
 *
 * <p>Ids of one side come in steps of two, so half the id is a hash without collisions while ids
 * are close together.
 */
final class StreamTable {
  private static final int FIRST_CAPACITY = 16;

  private @Nullable Http2Stream[] slots = new Http2Stream[FIRST_CAPACITY];
  private int size;

  int size() {
    return size;
  }

  @Nullable Http2Stream find(int streamId) {
    int mask = slots.length - 1;
    for (int i = streamId >>> 1 & mask; ; i = i + 1 & mask) {
      Http2Stream stream = slots[i];
      if (stream == null || stream.id() == streamId) {
        return stream;
      }
    }
  }

  void add(Http2Stream stream) {
    if (++size * 2 > slots.length) {
      grow();
    }
    place(stream);
  }

  void remove(Http2Stream stream) {
    int mask = slots.length - 1;
    int hole = stream.id() >>> 1 & mask;
    while (slots[hole] != stream) {
      if (slots[hole] == null) {
        return;
      }
      hole = hole + 1 & mask;
    }
    size--;
    closeHole(hole, mask);
  }

  /**
   * Passes all streams that are open at this moment to the action; the table may change meanwhile.
   */
  void forEach(Consumer<Http2Stream> action) {
    for (Http2Stream stream : slots.clone()) {
      if (stream != null) {
        action.accept(stream);
      }
    }
  }

  /**
   * Passes all streams to the action, and allocates nothing. The action must neither open nor close
   * any.
   */
  void scan(Consumer<Http2Stream> action) {
    for (Http2Stream stream : slots) {
      if (stream != null) {
        action.accept(stream);
      }
    }
  }

  /** Moves later streams of the same run forward, so that no search ends early. */
  private void closeHole(int freed, int mask) {
    int hole = freed;
    for (int i = hole + 1 & mask; ; i = i + 1 & mask) {
      Http2Stream moved = slots[i];
      if (moved == null) {
        break;
      }
      int home = moved.id() >>> 1 & mask;
      if ((i - home & mask) >= (i - hole & mask)) {
        slots[hole] = moved;
        hole = i;
      }
    }
    slots[hole] = null;
  }

  private void grow() {
    @Nullable Http2Stream[] old = slots;
    slots = new Http2Stream[old.length * 2];
    for (Http2Stream stream : old) {
      if (stream != null) {
        place(stream);
      }
    }
  }

  private void place(Http2Stream stream) {
    int mask = slots.length - 1;
    int i = stream.id() >>> 1 & mask;
    while (slots[i] != null) {
      i = i + 1 & mask;
    }
    slots[i] = stream;
  }
}
