package dev.gannet.server;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Sees to it that handlers on event loops do not hold them. What they do is timed only while there
 * is reason to: from when a pass over a connection has taken long to the first event that ends a
 * second later or more. At all other times nobody looks at the clock.
 *
 * <p>Any thread.
 */
final class InlineGuard {
  private static final long ALERT_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier clock;
  private final Executor elsewhere;
  private volatile boolean alert;
  private volatile long alertEndsNanos;

  /**
   * A guard that is not alert.
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
    alert = true;
  }

  boolean isAlert() {
    return alert;
  }

  /** An event was timed, and ended then. */
  void onTimed(long endNanos) {
    if (endNanos - alertEndsNanos > 0) {
      alert = false;
    }
  }
}
