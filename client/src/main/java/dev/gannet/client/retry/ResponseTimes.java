package dev.gannet.client.retry;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How long the first attempts of one method's calls took until their responses began: counts in
 * intervals that grow with the time, each a sixteenth of its power of two. When {@value #WINDOW}
 * calls are counted, and from then on after every half as many, all counts are halved, so that old
 * calls are forgotten. Safe for all threads, without a lock; a reader beside a writer may be off by
 * some calls.
 */
final class ResponseTimes {
  /** The maximum number of calls that count. */
  static final int WINDOW = 1024;

  private static final int SUB_BITS = 4;
  private static final int SUBS = 1 << SUB_BITS;

  /** 2^13 ns, 8 µs: what is shorter counts as that. */
  private static final int LEAST_EXPONENT = 13;

  /** Up to 2^37 ns, two minutes; what is longer counts as that. */
  private static final int OCTAVES = 24;

  private static final int SLOTS = OCTAVES * SUBS;

  private final AtomicIntegerArray counts = new AtomicIntegerArray(SLOTS);

  /**
   * The number of calls since the counts were last halved. It starts below zero, so that the first
   * halving waits for twice as many calls.
   */
  private final AtomicInteger sinceHalved = new AtomicInteger(-WINDOW / 2);

  /** One more call. */
  void add(long nanos) {
    counts.getAndIncrement(slot(nanos));
    if (sinceHalved.incrementAndGet() == WINDOW / 2) {
      sinceHalved.set(0);
      for (int i = 0; i < SLOTS; i++) {
        counts.updateAndGet(i, it -> it / 2);
      }
    }
  }

  /**
   * The time within which that part of the calls was answered, rounded up by a sixteenth at most.
   *
   * @param minCalls empty if fewer are counted
   */
  OptionalLong percentileNanos(double percentile, int minCalls) {
    int all = 0;
    for (int i = 0; i < SLOTS; i++) {
      all += counts.get(i);
    }
    if (all < minCalls) {
      return OptionalLong.empty();
    }
    double above = all * (100 - percentile) / 100;
    int longer = 0;
    for (int i = SLOTS - 1; i > 0; i--) {
      longer += counts.get(i);
      if (longer > above) {
        return OptionalLong.of(endOf(i));
      }
    }
    return OptionalLong.of(endOf(0));
  }

  private static int slot(long nanos) {
    long bounded = Math.max(nanos, 1L << LEAST_EXPONENT);
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(bounded);
    int sub = (int) (bounded >>> (exponent - SUB_BITS)) & (SUBS - 1);
    return Math.min((exponent - LEAST_EXPONENT) * SUBS + sub, SLOTS - 1);
  }

  /** The first time that is longer than the times of the slot. */
  private static long endOf(int slot) {
    int exponent = LEAST_EXPONENT + slot / SUBS;
    return (SUBS + slot % SUBS + 1L) << (exponent - SUB_BITS);
  }
}
