package dev.gannet.transport;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How many lines of a kind may be logged that others can cause: ten at once, and one a second after
 * that, so that nobody fills a disk. Counts what is left out. For all threads, event loops among
 * them: nobody waits here.
 */
public final class LogAllowance {
  /** Says that this line is to be left out. */
  public static final long LEFT_OUT = -1;

  private static final int BURST_LINES = 10;
  private static final long LINE_NANOS = 1_000_000_000L;

  private final LongSupplier clock;
  private final AtomicLong paidUntilNanos;
  private final AtomicLong unsaid = new AtomicLong();

  /**
   * For ten lines at once.
   *
   * @param clock nanoseconds of any steady origin
   */
  public LogAllowance(LongSupplier clock) {
    this.clock = clock;
    this.paidUntilNanos = new AtomicLong(clock.getAsLong() - BURST_LINES * LINE_NANOS);
  }

  /** How many lines were left out since the last one; {@link #LEFT_OUT} if this one is, too. */
  public long ask() {
    long now = clock.getAsLong();
    long earliest = now - BURST_LINES * LINE_NANOS;
    long paidUntil;
    long next;
    do {
      paidUntil = paidUntilNanos.get();
      if (now - paidUntil < LINE_NANOS) {
        unsaid.incrementAndGet();
        return LEFT_OUT;
      }
      next = Math.max(paidUntil - earliest, 0) + earliest + LINE_NANOS;
    } while (!paidUntilNanos.compareAndSet(paidUntil, next));
    return unsaid.getAndSet(0);
  }
}
