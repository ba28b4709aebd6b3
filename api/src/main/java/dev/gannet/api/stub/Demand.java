package dev.gannet.api.stub;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Passes a subscriber's demand to a call, which counts in smaller numbers and may not have started
 * yet.
 *
 * <pre>
 *   HELD (requests are summed up) ──open──► OPEN (requests are passed on)
 * </pre>
 *
 * <p>At most 2^30 messages are requested from a call at once; the rest follows as messages are
 * taken. {@link #add} and {@link #open} may be called by any thread.
 */
final class Demand {
  private static final long OPEN = -1;
  private static final int LARGEST_REQUEST = 1 << 30;

  private final IntConsumer call;

  /** The number of messages requested before the call started, or {@link #OPEN}. */
  private final AtomicLong held = new AtomicLong();

  /**
   * The number of messages that the subscriber has requested and that were not requested from the
   * call yet.
   */
  private final AtomicLong beyond = new AtomicLong();

  private int taken;

  Demand(IntConsumer call) {
    this.call = call;
  }

  /** The exception for a request for no messages; Reactive Streams §3.9. */
  static IllegalArgumentException notPositive(long messages) {
    return new IllegalArgumentException(
        "a subscriber requested "
            + messages
            + " messages; it has to request at least 1 (Reactive Streams rule 3.9)");
  }

  /**
   * The subscriber requests more.
   *
   * @param messages at least 1
   */
  void add(long messages) {
    long before;
    do {
      before = held.get();
      if (before == OPEN) {
        pass(messages);
        return;
      }
    } while (!held.compareAndSet(before, sum(before, messages)));
  }

  /** From now on requests are passed to the call. */
  void open() {
    long all = held.getAndSet(OPEN);
    if (all > 0) {
      pass(all);
    }
  }

  private void pass(long messages) {
    int now = (int) Math.min(messages, LARGEST_REQUEST);
    if (messages > now) {
      beyond.accumulateAndGet(messages - now, Demand::sum);
    }
    call.accept(now);
  }

  /** The subscriber has taken a message. Called by one thread at a time. */
  void onTaken() {
    if (beyond.get() > 0 && ++taken >= LARGEST_REQUEST) {
      taken = 0;
      pass(beyond.getAndSet(0));
    }
  }

  private static long sum(long some, long more) {
    long sum = some + more;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
