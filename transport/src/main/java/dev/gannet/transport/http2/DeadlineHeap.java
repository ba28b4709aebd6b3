package dev.gannet.transport.http2;

import dev.gannet.http2.Timeouts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of a connection's calls, earliest first: a binary heap whose elements know their
 * index, so that a call that ends before its deadline is removed without a search and without
 * garbage. Confined to the connection's loop.
 */
final class DeadlineHeap {
  /** The index of an element that is in no heap. */
  static final int OUTSIDE = -1;

  /** What {@link #earliestNanos} returns for an empty heap. */
  static final long NEVER = Timeouts.NEVER;

  private @Nullable Timed[] heap = new Timed[8];
  private int size;

  void add(Timed timed) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    place(timed, size++);
    siftUp(timed);
  }

  void remove(Timed timed) {
    int index = timed.heapIndex();
    if (index == OUTSIDE) {
      return;
    }
    timed.setHeapIndex(OUTSIDE);
    Timed last = heap[--size];
    heap[size] = null;
    if (last != null && index < size) {
      place(last, index);
      siftUp(last);
      siftDown(last);
    }
  }

  long earliestNanos() {
    Timed first = heap[0];
    return first == null ? NEVER : first.deadlineNanos();
  }

  /** Removes all calls whose deadline has passed, and calls {@code onDeadline} of each. */
  void expire(long nowNanos) {
    for (Timed first = heap[0];
        first != null && first.deadlineNanos() - nowNanos <= 0;
        first = heap[0]) {
      remove(first);
      first.onDeadline();
    }
  }

  private void siftUp(Timed timed) {
    int index = timed.heapIndex();
    while (index > 0) {
      int parent = (index - 1) / 2;
      Timed above = heap[parent];
      if (above == null || !isEarlier(timed, above)) {
        break;
      }
      place(above, index);
      index = parent;
    }
    place(timed, index);
  }

  private void siftDown(Timed timed) {
    int index = timed.heapIndex();
    while (true) {
      int child = earlierChild(index);
      Timed below = child < size ? heap[child] : null;
      if (below == null || !isEarlier(below, timed)) {
        break;
      }
      place(below, index);
      index = child;
    }
    place(timed, index);
  }

  private int earlierChild(int index) {
    int left = index * 2 + 1;
    Timed one = left < size ? heap[left] : null;
    Timed other = left + 1 < size ? heap[left + 1] : null;
    return one != null && other != null && isEarlier(other, one) ? left + 1 : left;
  }

  private void place(Timed timed, int index) {
    heap[index] = timed;
    timed.setHeapIndex(index);
  }

  private static boolean isEarlier(Timed first, Timed second) {
    return first.deadlineNanos() - second.deadlineNanos() < 0;
  }
}
