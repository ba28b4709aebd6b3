package dev.gannet.server;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Counts how often a pass over a connection has taken long. Only then are handlers on event loops
 * timed ({@link OnEventLoop}); at all other times nobody looks at the clock. Any thread.
 */
final class InlineGuard {
  private final LongSupplier clock;
  private final Executor virtualThreads;
  private final AtomicInteger slowPasses = new AtomicInteger();

  /**
   * A guard that has seen no slow pass.
   *
   * @param virtualThreads where calls run whose method has held a loop
   */
  InlineGuard(LongSupplier clock, Executor virtualThreads) {
    this.clock = clock;
    this.virtualThreads = virtualThreads;
  }

  Executor virtualThreads() {
    return virtualThreads;
  }

  long nanoTime() {
    return clock.getAsLong();
  }

  void onSlowPass() {
    slowPasses.incrementAndGet();
  }

  /** How many there were; the number may overflow. */
  int slowPasses() {
    return slowPasses.get();
  }
}
