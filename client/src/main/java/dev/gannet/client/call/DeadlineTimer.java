package dev.gannet.client.call;

import dev.gannet.api.Deadline;
import dev.gannet.transport.Scheduler;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a call, if it has one by now, and what watches it while no connection does:
 * before its request is sent, and when the server's end of the call waits for its reader. Safe for
 * all threads.
 */
final class DeadlineTimer {
  private static final AtomicReferenceFieldUpdater<DeadlineTimer, Scheduler.@Nullable Cancellable>
      TIMER =
          AtomicReferenceFieldUpdater.newUpdater(
              DeadlineTimer.class, Scheduler.Cancellable.class, "timer");

  private static final AtomicReferenceFieldUpdater<DeadlineTimer, @Nullable Deadline> DEADLINE =
      AtomicReferenceFieldUpdater.newUpdater(DeadlineTimer.class, Deadline.class, "deadline");

  private final Scheduler scheduler;
  private final Runnable onPassed;

  /** Null while there is none. */
  private volatile @Nullable Deadline deadline;

  private volatile Scheduler.@Nullable Cancellable timer;
  private volatile boolean stopped;

  /**
   * A timer that does not watch yet. Without the fence of a volatile write: no other thread knows
   * this object yet.
   *
   * @param deadline null if it has none yet
   */
  DeadlineTimer(Scheduler scheduler, @Nullable Deadline deadline, Runnable onPassed) {
    this.scheduler = scheduler;
    this.onPassed = onPassed;
    DEADLINE.lazySet(this, deadline);
  }

  /** The deadline as far as it is known by now. */
  Optional<Deadline> deadline() {
    return Optional.ofNullable(deadline);
  }

  /** From now on this is the deadline; it is not watched before the next {@link #start}. Once. */
  void limitBy(Deadline limit) {
    deadline = limit; // write-then-check with start: deadline first, then timer
    Scheduler.Cancellable before = TIMER.getAndSet(this, null);
    if (before != null) {
      before.cancel();
    }
  }

  /**
   * Starts to watch, once, until {@link #stop}, which another thread may call at the same time.
   *
   * @throws RejectedExecutionException if no timer can be set
   */
  void start() {
    Deadline watched = deadline;
    while (watched != null && timer == null && !stopped) {
      Scheduler.Cancellable started =
          scheduler.schedule(onPassed, Math.max(0, watched.remainingNanos()));
      // write-then-check with stop and limitBy: timer first, then stopped and deadline
      boolean set = TIMER.compareAndSet(this, null, started);
      if (!set || stopped) {
        started.cancel();
        return; // if another thread has set its own, that one reads deadline next
      }
      Deadline now = deadline;
      if (!watched.equals(now) && TIMER.compareAndSet(this, started, null)) {
        started.cancel(); // limitBy may have found no timer
      }
      watched = now;
    }
  }

  /**
   * Like {@link #start}, but a deadline that has already passed, or cannot be watched, is treated
   * as passed now.
   */
  void startOrPass() {
    Deadline watched = deadline;
    if (watched == null || stopped) {
      return;
    }
    if (watched.isExpired()) {
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
    stopped = true; // write-then-check with start: stopped first, then timer
    Scheduler.Cancellable started = timer;
    if (started != null) {
      started.cancel();
    }
  }
}
