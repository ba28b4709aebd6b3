package dev.gannet.server;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Sees to it that handlers on event loops do not hold them. What they do is timed only while there
 * is reason to: once a pass over a connection has taken long, the next events of each method are
 * timed that come within a minute. At all other times nobody looks at the clock.
 *
 * <p>Any thread.
 */
final class InlineGuard {
  private static final long ALERT_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier clock;
  private final Executor elsewhere;
  private final AtomicInteger slowPasses = new AtomicInteger();
  private volatile long alertEndsNanos;

  /**
   * A guard that has seen no slow pass.
   *
   * @param elsewhere where calls run whose method has held a loop
   */
  InlineGuard(LongSupplier clock, Executor elsewhere) {
    this.clock = clock;
    this.elsewhere = elsewhere;
  }

  /** A place for one method's calls. */
  InlineMethod watch(String fullMethodName) {
    return new InlineMethod(this, fullMethodName);
  }

  Executor elsewhere() {
    return elsewhere;
  }

  long nanoTime() {
    return clock.getAsLong();
  }

  void onSlowPass() {
    alertEndsNanos = nanoTime() + ALERT_NANOS;
    slowPasses.incrementAndGet();
  }

  /** How many there were; it may run over. */
  int slowPasses() {
    return slowPasses.get();
  }

  /** Whether an event that begins then has nothing to do with them any more. */
  boolean isOver(long beganNanos) {
    return beganNanos - alertEndsNanos > 0;
  }
}
