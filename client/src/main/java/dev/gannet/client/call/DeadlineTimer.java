package dev.gannet.client.call;

import dev.gannet.api.Deadline;
import dev.gannet.transport.Scheduler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Watches the deadline of a call while no connection does: before its request is sent, and when the
 * server's end of the call waits for its reader. Safe for all threads.
 */
final class DeadlineTimer {
  private static final AtomicReferenceFieldUpdater<DeadlineTimer, Scheduler.@Nullable Cancellable>
      TIMER =
          AtomicReferenceFieldUpdater.newUpdater(
              DeadlineTimer.class, Scheduler.Cancellable.class, "timer");

  private final Scheduler scheduler;
  private final Deadline deadline;
  private final Runnable onPassed;
  private final long madeNanos;
  private volatile Scheduler.@Nullable Cancellable timer;
  private volatile boolean stopped;

  DeadlineTimer(Scheduler scheduler, Deadline deadline, Runnable onPassed) {
    this.scheduler = scheduler;
    this.deadline = deadline;
    this.onPassed = onPassed;
    this.madeNanos = scheduler.nanoTime();
  }

  /** How long ago its call was started. */
  long ageNanos() {
    return scheduler.nanoTime() - madeNanos;
  }

  /**
   * Starts to watch, once, until {@link #stop}, which another thread may call at the same time.
   *
   * @throws RejectedExecutionException if no timer can be set
   */
  void start() {
    if (timer == null && !stopped) {
      Scheduler.Cancellable started =
          scheduler.schedule(onPassed, Math.max(0, deadline.remainingNanos()));
      if (!TIMER.compareAndSet(this, null, started) || stopped) {
        started.cancel();
      }
    }
  }

  /**
   * Like {@link #start}, but a deadline that has already passed, or cannot be watched, is treated
   * as passed now.
   */
  void startOrPass() {
    if (deadline.isExpired()) {
      onPassed.run();
      return;
    }
    try {
      start();
    } catch (RuntimeException | Error e) {
      onPassed.run(); // ending it now is better than never
    }
  }

  void stop() {
    stopped = true;
    Scheduler.Cancellable started = timer;
    if (started != null) {
      started.cancel();
    }
  }
}
