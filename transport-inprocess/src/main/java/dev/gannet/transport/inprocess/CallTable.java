package dev.gannet.transport.inprocess;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The running calls of a connection, each in its own slot, for the rare operations that must find
 * them all. A call costs two writes and no object. Safe for all threads, without a lock.
 *
 * <p>Slots are in arrays, each twice as long as the previous one, which are created when they are
 * needed and stay. A call looks for a free slot near its thread's position, and then anywhere.
 */
final class CallTable {
  private static final int FIRST_BITS = 8;
  private static final int ARRAYS = 20;
  private static final int PROBES = 8;
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final AtomicReferenceArray<
          @Nullable AtomicReferenceArray<@Nullable InProcessClientStream<?, ?>>>
      arrays = new AtomicReferenceArray<>(ARRAYS);
  private volatile int newest;

  CallTable() {
    arrays.set(0, new AtomicReferenceArray<>(1 << FIRST_BITS));
  }

  /**
   * Adds a call and returns its slot, for {@link #remove}.
   *
   * @throws IllegalStateException if there are hundreds of millions of calls
   */
  int add(InProcessClientStream<?, ?> call) {
    int last = newest;
    int slot = tryAdd(call, last, Thread.currentThread().threadId() * MIX);
    while (slot < 0) { // a thread with many calls: any free slot
      slot = tryAnywhere(call, last);
      if (slot < 0) {
        grow(last);
        last = newest;
      }
    }
    return slot;
  }

  private int tryAnywhere(InProcessClientStream<?, ?> call, int last) {
    int slot = -1;
    for (int array = last; array >= 0 && slot < 0; array--) {
      slot = tryAdd(call, array, ThreadLocalRandom.current().nextLong());
    }
    return slot;
  }

  private int tryAdd(InProcessClientStream<?, ?> call, int array, long place) {
    AtomicReferenceArray<@Nullable InProcessClientStream<?, ?>> slots = slots(array);
    int start = (int) (place >>> (Long.SIZE - FIRST_BITS - array));
    for (int probe = 0; probe < PROBES; probe++) {
      int at = (start + probe) & (slots.length() - 1);
      if (slots.getPlain(at) == null && slots.compareAndSet(at, null, call)) {
        return firstSlot(array) + at;
      }
    }
    return -1;
  }

  private void grow(int last) {
    int next = last + 1;
    if (next == ARRAYS) {
      throw new IllegalStateException("too many calls on one connection");
    }
    arrays.compareAndSet(next, null, new AtomicReferenceArray<>(1 << (FIRST_BITS + next)));
    if (newest < next) {
      newest = next; // another thread may write the same, or more and lose it for a moment
    }
  }

  /** Removes the call that {@link #add} has stored there. */
  void remove(int slot) {
    int array = Integer.SIZE - 1 - Integer.numberOfLeadingZeros((slot >>> FIRST_BITS) + 1);
    slots(array).set(slot - firstSlot(array), null);
  }

  private static int firstSlot(int array) {
    return ((1 << array) - 1) << FIRST_BITS;
  }

  private AtomicReferenceArray<@Nullable InProcessClientStream<?, ?>> slots(int array) {
    AtomicReferenceArray<@Nullable InProcessClientStream<?, ?>> slots = arrays.get(array);
    if (slots == null) {
      throw new IllegalStateException("there is no such slot");
    }
    return slots;
  }

  /**
   * Passes all calls to the consumer; calls that are added or removed meanwhile may be included or
   * not.
   */
  void forEach(Consumer<InProcessClientStream<?, ?>> use) {
    for (int array = 0; array < ARRAYS; array++) {
      AtomicReferenceArray<@Nullable InProcessClientStream<?, ?>> slots = arrays.get(array);
      for (int i = 0; slots != null && i < slots.length(); i++) {
        InProcessClientStream<?, ?> call = slots.get(i);
        if (call != null) {
          use.accept(call);
        }
      }
    }
  }

  boolean isEmpty() {
    for (int array = 0; array < ARRAYS; array++) {
      AtomicReferenceArray<@Nullable InProcessClientStream<?, ?>> slots = arrays.get(array);
      for (int i = 0; slots != null && i < slots.length(); i++) {
        if (slots.get(i) != null) {
          return false;
        }
      }
    }
    return true;
  }
}
