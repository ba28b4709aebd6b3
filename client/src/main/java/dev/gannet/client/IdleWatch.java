package dev.gannet.client;

import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.TaskTimer;
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
 *   OFF ──start──► CHECKING ──ten checks without a call──► OFF, and the channel is notified
 *    ▲                │
 *    └──────stop──────┘
 * </pre>
 */
final class IdleWatch {
  private static final int CHECKS = 10;

  private final Scheduler scheduler;
  private final SerialTasks tasks;
  private final CallGate gate;
  private final Runnable onIdle;
  private final long checkNanos;
  private @Nullable TaskTimer timer;
  private OptionalLong before = OptionalLong.empty();
  private int quietChecks;

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
    this.checkNanos = TimeUnit.NANOSECONDS.convert(timeout) / CHECKS;
    this.onIdle = onIdle;
  }

  /** Starts to check, or starts the time again. */
  void start() {
    before = OptionalLong.empty();
    quietChecks = 0;
    if (timer == null && checkNanos > 0) {
      checkLater();
    }
  }

  /** Without a timer the channel is not changed. */
  private void checkLater() {
    TaskTimer next = new TaskTimer(this::check);
    timer = next;
    try {
      next.start(scheduler, tasks, checkNanos);
    } catch (RuntimeException | Error e) {
      timer = null;
    }
  }

  private void check() {
    OptionalLong now = gate.begunIfEmpty();
    quietChecks = now.isPresent() && now.equals(before) ? quietChecks + 1 : 0;
    before = now;
    timer = null;
    if (quietChecks >= CHECKS) {
      onIdle.run();
    } else {
      checkLater();
    }
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
