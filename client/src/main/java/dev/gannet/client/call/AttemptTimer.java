package dev.gannet.client.call;

import dev.gannet.transport.Scheduler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of the {@link AttemptTimers} of a {@link RetryingCall}. It is made with the lock of the call,
 * and set without it, because a scheduler may have locks of its own. Any thread cancels it. It may
 * fire although it was cancelled.
 *
 * <pre>
 *   made (null) ──set──► set (what cancels it) ──cancel──► CANCELLED
 *     └──cancel───────────────────────────────────────────────▲
 * </pre>
 */
final class AttemptTimer implements Runnable {
  private static final Scheduler.Cancellable CANCELLED = () -> {};

  private final long delayNanos;
  private final Consumer<AttemptTimer> onFired;
  private final AtomicReference<Scheduler.@Nullable Cancellable> state = new AtomicReference<>();

  /** A timer that is not set yet. */
  AttemptTimer(long delayNanos, Consumer<AttemptTimer> onFired) {
    this.delayNanos = delayNanos;
    this.onFired = onFired;
  }

  /**
   * Sets the timer, unless it was cancelled. Called once.
   *
   * @throws RejectedExecutionException if that is not possible
   */
  void set(Scheduler scheduler) {
    if (state.get() == null) {
      Scheduler.Cancellable running = scheduler.schedule(this, delayNanos);
      if (!state.compareAndSet(null, running)) { // cancelled meanwhile
        running.cancel();
      }
    }
  }

  void cancel() {
    Scheduler.Cancellable running = state.getAndSet(CANCELLED);
    if (running != null) {
      running.cancel();
    }
  }

  @Override
  public void run() {
    onFired.accept(this);
  }
}
