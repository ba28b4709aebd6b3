package dev.gannet.client;

import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a channel has had no call for the idle timeout, so that it can close its
 * connections. It checks the counts of the {@link CallGate} ten times per timeout, so that calls do
 * no additional work; the timeout may be up to a tenth longer because of this. Runs in the
 * channel's {@link SerialTasks}.
 *
 * <pre>
 *   OFF ──start──► LOOKING ──ten checks without a call──► OFF, and the channel is notified
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
  private final long lookNanos;
  private Scheduler.@Nullable Cancellable timer;
  private OptionalLong before = OptionalLong.empty();
  private int quietLooks;

  /**
   * Initially OFF.
   *
   * @param timeout zero for never
   * @param onIdle called in a task
   */
  IdleWatch(
      Scheduler scheduler, SerialTasks tasks, CallGate gate, Duration timeout, Runnable onIdle) {
    this.scheduler = scheduler;
    this.tasks = tasks;
    this.gate = gate;
    this.lookNanos = TimeUnit.NANOSECONDS.convert(timeout) / LOOKS;
    this.onIdle = onIdle;
  }

  /** Starts to check, or starts the time again. */
  void start() {
    before = OptionalLong.empty();
    quietLooks = 0;
    if (timer == null && lookNanos > 0) {
      lookLater();
    }
  }

  /** Without a timer the channel is not changed. */
  private void lookLater() {
    try {
      timer = scheduler.schedule(() -> tasks.run(this::look), lookNanos);
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
