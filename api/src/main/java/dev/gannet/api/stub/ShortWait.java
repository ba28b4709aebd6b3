package dev.gannet.api.stub;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Polls for a response for a short time before a thread parks. Parking and unparking are two system
 * calls, and take tens of microseconds if the processor goes to sleep meanwhile; the response of a
 * server in the same process may arrive earlier (ADR 60).
 *
 * <p>Only one thread polls at a time, for at most {@value #MAX_NANOS} ns, and only while it pays: a
 * poll that finds its response adds to a credit, one that does not takes from it, and without
 * credit only one wait in {@value #WAITS_PER_TRIAL} polls. Thread-safe.
 */
final class ShortWait {
  static final long MAX_NANOS = 20_000;

  /** Without credit, one of this many waits polls, to find out whether it pays again. */
  static final int WAITS_PER_TRIAL = 64;

  /** The number of polls without a response until polling stops. */
  static final int MAX_CREDIT = 16;

  /** The number of polls between two reads of the clock. */
  private static final int POLLS_PER_CLOCK_READ = 16;

  static final ShortWait SHARED =
      new ShortWait(Runtime.getRuntime().availableProcessors(), System::nanoTime);

  private final boolean singleProcessor;
  private final LongSupplier nanoTime;
  private final AtomicBoolean taken = new AtomicBoolean();

  // Used by the polling thread.
  private int credit = MAX_CREDIT / 2;
  private int waitsUntilTrial = WAITS_PER_TRIAL;

  /** With a single processor no thread polls: the response could not arrive meanwhile. */
  ShortWait(int processors, LongSupplier nanoTime) {
    this.singleProcessor = processors == 1;
    this.nanoTime = nanoTime;
  }

  /** Polls for a short time, or not at all. Called by the thread that is about to park. */
  void await(BooleanSupplier answered) {
    if (singleProcessor
        || Thread.currentThread().isVirtual()
        || !taken.compareAndSet(false, true)) {
      return; // a virtual thread that polls would keep others from its carrier
    }
    try {
      if (credit > 0 || countDownToTrial()) {
        count(poll(answered));
      }
    } finally {
      taken.set(false);
    }
  }

  /** Counts a wait; returns whether it is a trial. */
  private boolean countDownToTrial() {
    waitsUntilTrial--;
    if (waitsUntilTrial == 0) {
      waitsUntilTrial = WAITS_PER_TRIAL;
      return true;
    }
    return false;
  }

  private boolean poll(BooleanSupplier answered) {
    long endNanos = nanoTime.getAsLong() + MAX_NANOS;
    do {
      for (int i = 0; i < POLLS_PER_CLOCK_READ; i++) {
        if (answered.getAsBoolean()) {
          return true;
        }
        Thread.onSpinWait();
      }
    } while (nanoTime.getAsLong() - endNanos < 0);
    return false;
  }

  private void count(boolean found) {
    credit = found ? Math.min(MAX_CREDIT, credit + 2) : Math.max(0, credit - 1);
  }
}
