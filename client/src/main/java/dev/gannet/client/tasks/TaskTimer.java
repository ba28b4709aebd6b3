package dev.gannet.client.tasks;

import dev.gannet.transport.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action once after a time, as a task of the channel, unless it is cancelled before: also
 * if its time has come and its task is waiting for others.
 *
 * <pre>
 *   NEW ──start──► RUNNING ──its time──► OVER, and the action runs
 *    └───────────────┴──cancel──► OVER
 * </pre>
 *
 * <p>Only used in the channel's {@link SerialTasks}.
 */
public final class TaskTimer {
  private final Runnable onOver;
  private Scheduler.@Nullable Cancellable timer;
  private boolean over;

  public TaskTimer(Runnable onOver) {
    this.onOver = onOver;
  }

  /** Starts it, unless it was cancelled. */
  public void start(Scheduler scheduler, SerialTasks tasks, long delayNanos) {
    if (!over) {
      timer = scheduler.schedule(() -> tasks.run(this::end), delayNanos);
    }
  }

  private void end() {
    if (!over) {
      over = true;
      onOver.run();
    }
  }

  public void cancel() {
    over = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
