package dev.gannet.client;

import java.util.Arrays;

/**
 * When a channel without addresses has waited for its resolver: the last times, so that a call that
 * has waited learns for how much of that it was the resolver.
 *
 * <p>Changed by one thread at a time, read by any thread.
 */
final class AddressWaits {
  /** The oldest time is forgotten for a further one. */
  private static final int KEPT = 64;

  /** The begin and the end of each; the last one has no end while it goes on. */
  private volatile long[] times = {};

  /** A wait begins, unless one goes on. */
  void begin(long nowNanos) {
    if (!isWaiting()) {
      long[] before = times;
      add(before.length < 2 * KEPT ? before : Arrays.copyOfRange(before, 2, 2 * KEPT), nowNanos);
    }
  }

  /** The wait that goes on ends, if there is one. */
  void end(long nowNanos) {
    if (isWaiting()) {
      add(times, nowNanos);
    }
  }

  private boolean isWaiting() {
    return times.length % 2 != 0;
  }

  private void add(long[] before, long nowNanos) {
    long[] longer = Arrays.copyOf(before, before.length + 1);
    longer[before.length] = nowNanos;
    times = longer;
  }

  /** How much of the time between two instants this was. Any thread. */
  long overlapNanos(long fromNanos, long toNanos) {
    long[] known = times;
    long whole = toNanos - fromNanos;
    long sum = 0;
    for (int i = 0; i < known.length; i += 2) {
      long begin = Math.max(0, known[i] - fromNanos);
      long end = i + 1 < known.length ? Math.min(whole, known[i + 1] - fromNanos) : whole;
      sum += Math.max(0, end - begin);
    }
    return sum;
  }
}
