package dev.gannet.transport;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Limits log lines that peers can cause: ten at once, and then one per second for each kind, so
 * that nobody can fill a disk. Counts the omitted lines. For all threads, including event loops: it
 * never blocks.
 */
public final class LogAllowance {
  private static final long LEFT_OUT = -1;

  private static final int BURST_LINES = 10;
  private static final long LINE_NANOS = 1_000_000_000L;

  private final LongSupplier clock;
  private final AtomicLong paidUntilNanos;
  private final AtomicLong unsaid = new AtomicLong();

  /**
   * Allows ten lines at once.
   *
   * @param clock nanoseconds from any constant origin
   */
  public LogAllowance(LongSupplier clock) {
    this.clock = clock;
    this.paidUntilNanos = new AtomicLong(clock.getAsLong() - BURST_LINES * LINE_NANOS);
  }

  /**
   * Writes a line, unless it is to be omitted.
   *
   * @param what these lines are about, in the plural: {@code failures}
   * @param line writes the line; it is given the end of its text, which says how many lines before
   *     it were omitted, and is empty if none were
   */
  public void write(String what, Consumer<String> line) {
    long before = ask();
    if (before != LEFT_OUT) {
      line.accept(before == 0 ? "" : " (" + before + " more " + what + " were not logged)");
    }
  }

  /** The number of lines omitted since the last one; negative if this one is omitted, too. */
  private long ask() {
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
