package dev.gannet.client.tasks;

import dev.gannet.api.Registration;
import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a policy or a resolver, whose tasks run in the channel's {@link SerialTasks}. Safe
 * for all threads.
 *
 * <pre>
 *   OPEN ──close──► CLOSED: no timer expires any more
 * </pre>
 */
public final class SerialTimers {
  private enum State {
    OPEN,
    CLOSED
  }

  private final Scheduler scheduler;
  private final SerialTasks tasks;
  private final Consumer<Runnable> runner;
  private final Set<Started> running = ConcurrentHashMap.newKeySet();
  private volatile State state = State.OPEN;

  /**
   * No timers.
   *
   * @param runner runs the task of a timer that has expired; called in the channel's tasks
   */
  public SerialTimers(Scheduler scheduler, SerialTasks tasks, Consumer<Runnable> runner) {
    this.scheduler = scheduler;
    this.tasks = tasks;
    this.runner = runner;
  }

  /** Runs the task after the delay; never if the delay is very long. */
  public Registration start(Runnable task, Duration delay) {
    long delayNanos = TimeUnit.NANOSECONDS.convert(delay);
    Started timer = new Started(Objects.requireNonNull(task, "task"));
    timer.start(delayNanos);
    return timer;
  }

  /** Cancels all timers, and those that are started later. */
  public void close() {
    state = State.CLOSED; // write-then-check with Started.start: CLOSED first, then the timers
    running.forEach(Started::close);
  }

  private final class Started implements Registration {
    private final Runnable task;
    private volatile Scheduler.@Nullable Cancellable expiry;

    Started(Runnable task) {
      this.task = task;
    }

    void start(long delayNanos) {
      running.add(this);
      try {
        expiry = scheduler.schedule(() -> tasks.run(this::onTime), delayNanos);
      } catch (RuntimeException | Error e) {
        running.remove(this);
        throw e;
      }
      // write-then-check with SerialTimers.close: the timer first, then CLOSED
      if (state == State.CLOSED) {
        close();
      }
    }

    private void onTime() {
      if (running.remove(this)) {
        runner.accept(task);
      }
    }

    @Override
    public void close() {
      running.remove(this);
      Scheduler.Cancellable started = expiry;
      if (started != null) {
        started.cancel();
      }
    }
  }
}
