package dev.gannet.client.call;

import dev.gannet.transport.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A timer for the next attempt of a {@link RetryingCall}, one of its {@link AttemptTimers}. Only
 * the newest one has an effect: one that was cancelled may fire all the same. Guarded by the lock
 * of the call.
 */
final class AttemptTimer implements Runnable {
  private final AttemptTimers.Listener<?, ?> listener;
  private Scheduler.@Nullable Cancellable running;

  private AttemptTimer(AttemptTimers.Listener<?, ?> listener) {
    this.listener = listener;
  }

  /** A timer that fires after the delay. */
  static AttemptTimer start(
      Scheduler scheduler, AttemptTimers.Listener<?, ?> listener, long delayNanos) {
    AttemptTimer timer = new AttemptTimer(listener);
    timer.running = scheduler.schedule(timer, delayNanos);
    return timer;
  }

  void cancel() {
    if (running != null) {
      running.cancel();
    }
  }

  /** It has fired. Without the lock. */
  @Override
  public void run() {
    listener.onNextAttempt(this);
  }
}
