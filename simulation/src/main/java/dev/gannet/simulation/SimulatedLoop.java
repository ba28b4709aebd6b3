package dev.gannet.simulation;

import dev.gannet.transport.Scheduler.Cancellable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An executor with a clock of its own that stands still until it is told to go on: tasks run on the
 * thread that calls {@link #runUntilIdle} or {@link #advance}, in the order of their times, and
 * among tasks of one time in the order in which they came.
 *
 * <p>Not for several threads: whoever makes it, gives it tasks and runs it must be one thread. An
 * exception that a task throws comes out of the method that runs it; the other tasks stay.
 */
public final class SimulatedLoop implements Executor {
  /** Where two tasks without end are told from a long piece of work. */
  private static final int MAX_TASKS_PER_RUN = 10_000_000;

  /** Tasks of the present time, in the order in which they came: most of all tasks. */
  private final ArrayDeque<Task> due = new ArrayDeque<>();

  private final PriorityQueue<Task> later = new PriorityQueue<>(new Earlier());
  private long nowNanos;
  private int pending;
  private long nextNumber;
  private boolean running;

  /** A loop whose clock begins at 0. */
  public SimulatedLoop() {
    this(0);
  }

  /**
   * A loop whose clock begins anywhere; it may run over {@link Long#MAX_VALUE} as {@link
   * System#nanoTime} may.
   */
  public SimulatedLoop(long originNanos) {
    nowNanos = originNanos;
  }

  /** Runs the task at the present time, behind all that are due already. */
  @Override
  public void execute(Runnable task) {
    add(task, 0);
  }

  /** Runs the task so much later by this clock; at once where the delay is not positive. */
  public Cancellable schedule(Runnable task, long delayNanos) {
    return add(task, Math.max(0, delayNanos));
  }

  private Task add(Runnable work, long delayNanos) {
    Task task = new Task(work, nowNanos + delayNanos, nextNumber++);
    pending++;
    if (delayNanos == 0) {
      due.add(task);
    } else {
      later.add(task);
    }
    return task;
  }

  /** How many tasks wait for their time; those that were cancelled do not count. */
  public int pendingTasks() {
    return pending;
  }

  /** The virtual time, in nanoseconds. */
  public long nanoTime() {
    return nowNanos;
  }

  /** Whether the loop is inside a task. */
  public boolean isRunning() {
    return running;
  }

  /**
   * Runs everything that is due now, and what that makes due, without moving the clock.
   *
   * @throws IllegalStateException if there is no end of it after ten million tasks, or if a task
   *     calls this
   */
  public void runUntilIdle() {
    runUntil(nowNanos);
  }

  /**
   * Moves the clock on by that much, running on the way whatever falls due.
   *
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException as {@link #runUntilIdle}
   */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("the clock cannot go back: " + duration);
    }
    long endNanos = nowNanos + duration.toNanos();
    runUntil(endNanos);
    nowNanos = later(nowNanos, endNanos);
  }

  /**
   * Lets the task that runs take so long: the clock moves, and whatever falls due waits for it.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public void spend(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("the clock cannot go back: " + duration);
    }
    nowNanos += duration.toNanos();
  }

  private static long later(long one, long other) {
    return one - other < 0 ? other : one;
  }

  private void runUntil(long endNanos) {
    if (running) {
      throw new IllegalStateException("a task must not run the loop that runs it");
    }
    running = true;
    try {
      int ran = 0;
      for (Task next = takeUntil(endNanos); next != null; next = takeUntil(endNanos)) {
        if (++ran > MAX_TASKS_PER_RUN) {
          throw new IllegalStateException(
              "no end after " + MAX_TASKS_PER_RUN + " tasks; next is " + next.work);
        }
        nowNanos = later(nowNanos, next.atNanos);
        next.run();
      }
    } finally {
      running = false;
    }
  }

  /** The next task whose time is not behind that one, taken out. */
  private @Nullable Task takeUntil(long endNanos) {
    Task timed = later.peek();
    Task first = due.peek();
    if (first != null && (timed == null || Earlier.compareTasks(first, timed) < 0)) {
      return due.remove();
    }
    return timed == null || timed.atNanos - endNanos > 0 ? null : later.remove();
  }

  /** Work, its time, and its place among those of the same time. */
  private final class Task implements Cancellable {
    private final long atNanos;
    private final long number;
    private @Nullable Runnable work;

    Task(Runnable work, long atNanos, long number) {
      this.work = work;
      this.atNanos = atNanos;
      this.number = number;
    }

    void run() {
      Runnable todo = work;
      cancel();
      if (todo != null) {
        todo.run();
      }
    }

    @Override
    public void cancel() {
      if (work != null) {
        work = null;
        pending--;
      }
    }
  }

  /** Compares by difference, as clocks that may run over must be. */
  private static final class Earlier implements Comparator<Task> {
    @Override
    public int compare(Task one, Task other) {
      return compareTasks(one, other);
    }

    static int compareTasks(Task one, Task other) {
      long nanos = one.atNanos - other.atNanos;
      return Long.signum(nanos != 0 ? nanos : one.number - other.number);
    }
  }
}
