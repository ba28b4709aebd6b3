package dev.gannet.client;

import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds that a channel has had no call for so long that it may let its connections go. It looks ten
 * times in that time at what the {@link CallGate} has counted, so that calls have nothing to do for
 * it; the time is up to a tenth longer by that. In the channel's {@link SerialTasks}.
 *
 * <pre>
 *   OFF ──start──► LOOKING ──ten looks in which nothing was counted──► OFF, and the channel is told
 *    ▲                │
 *    └──────stop──────┘
 * </pre>
 */
final class IdleWatch {
  private static final int LOOKS = 10;

  private final Scheduler scheduler;
  private final SerialTasks tasks;
  private final CallGate gate;
  private final Runnable onIdle;
  private final Duration timeout;
  private Scheduler.@Nullable Cancellable timer;
  private OptionalLong before = OptionalLong.empty();
  private int quietLooks;

  /**
   * OFF.
   *
   * @param timeout zero for never
   * @param onIdle told in a task
   */
  IdleWatch(
      Scheduler scheduler, SerialTasks tasks, CallGate gate, Duration timeout, Runnable onIdle) {
    this.scheduler = scheduler;
    this.tasks = tasks;
    this.gate = gate;
    this.timeout = timeout;
    this.onIdle = onIdle;
  }

  /** Begins to look, or begins the time anew. */
  void start() {
    before = OptionalLong.empty();
    quietLooks = 0;
    if (timer == null && !timeout.isZero()) {
      lookLater();
    }
  }

  /** Without a timer the channel stays as it is. */
  private void lookLater() {
    try {
      timer = scheduler.schedule(() -> tasks.run(this::look), timeout.dividedBy(LOOKS).toNanos());
    } catch (RuntimeException | Error e) {
      timer = null;
    }
  }

  private void look() {
    if (timer == null) {
      return; // stopped meanwhile
    }
    OptionalLong now = gate.begunIfEmpty();
    quietLooks = now.isPresent() && now.equals(before) ? quietLooks + 1 : 0;
    before = now;
    timer = null;
    if (quietLooks >= LOOKS) {
      onIdle.run();
    } else {
      lookLater();
    }
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
