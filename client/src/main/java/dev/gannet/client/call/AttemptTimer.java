package dev.gannet.client.call;

import dev.gannet.transport.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A timer for the next attempt of a {@link RetryingCall}. Only the call's newest one has an effect:
 * one that was cancelled may fire all the same. Guarded by the lock of the call.
 */
final class AttemptTimer implements Runnable {
  private final RetryingCall<?, ?> call;
  private Scheduler.@Nullable Cancellable running;

  private AttemptTimer(RetryingCall<?, ?> call) {
    this.call = call;
  }

  /** A timer that fires after the delay. */
  static AttemptTimer start(RetryingCall<?, ?> call, long delayNanos) {
    AttemptTimer timer = new AttemptTimer(call);
    timer.running = call.scheduler().schedule(timer, delayNanos);
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
    call.onTime(this);
  }
}
