package dev.gannet.server.call;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Counts slow passes over connections. Handlers on event loops are measured only after a slow pass
 * ({@link OnEventLoop}); at all other times the clock is not read. Any thread.
 */
public final class SlowPassCounter {
  private final LongSupplier clock;
  private final Executor virtualThreads;
  private final AtomicInteger slowPasses = new AtomicInteger();

  /**
   * A counter without slow passes so far.
   *
   * @param virtualThreads run calls of methods that have blocked a loop
   */
  public SlowPassCounter(LongSupplier clock, Executor virtualThreads) {
    this.clock = clock;
    this.virtualThreads = virtualThreads;
  }

  Executor virtualThreads() {
    return virtualThreads;
  }

  long nanoTime() {
    return clock.getAsLong();
  }

  public void onSlowPass() {
    slowPasses.incrementAndGet();
  }

  /** The number of slow passes; it may overflow. */
  int slowPasses() {
    return slowPasses.get();
  }
}
