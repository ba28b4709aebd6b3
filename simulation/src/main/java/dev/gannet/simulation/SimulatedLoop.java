package dev.gannet.simulation;

import dev.gannet.transport.Scheduler.Cancellable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An executor with its own clock, which moves only when told to: tasks run on the thread that calls
 * {@link #runUntilIdle} or {@link #advance}, in the order of their times, and tasks of the same
 * time in the order in which they were added.
 *
 * <p>Not thread-safe: one thread must create it, add tasks and run it. An exception of a task is
 * thrown by the method that runs it; the other tasks stay.
 */
public final class SimulatedLoop implements Executor {
  /** More tasks than this in one run count as an endless loop. */
  private static final int MAX_TASKS_PER_RUN = 10_000_000;

  /** 146 years: times that are further apart cannot be compared by difference. */
  private static final long MAX_DELAY_NANOS = 1L << 62;

  /** Tasks of the present time, in the order in which they were added: most tasks are here. */
  private final ArrayDeque<Task> due = new ArrayDeque<>();

  private final PriorityQueue<Task> later = new PriorityQueue<>(new Earlier());
  private long nowNanos;
  private int pending;
  private long nextNumber;
  private boolean running;

  /** A loop whose clock starts at 0. */
  public SimulatedLoop() {
    this(0);
  }

  /**
   * A loop whose clock starts at any value; it may overflow {@link Long#MAX_VALUE} as {@link
   * System#nanoTime} may.
   */
  public SimulatedLoop(long originNanos) {
    nowNanos = originNanos;
  }

  /** Runs the task at the present time, after all that are already due. */
  @Override
  public void execute(Runnable task) {
    add(task, 0);
  }

  /** Runs the task after that delay by this clock; at once if the delay is not positive. */
  public Cancellable schedule(Runnable task, long delayNanos) {
    return add(task, Math.clamp(delayNanos, 0, MAX_DELAY_NANOS));
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

  /** How many tasks wait for their time; cancelled tasks do not count. */
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
   * Runs everything that is due now, and what becomes due by that, without moving the clock.
   *
   * @throws IllegalStateException if it does not end after ten million tasks, or if a task calls
   *     this
   */
  public void runUntilIdle() {
    runUntil(nowNanos);
  }

  /**
   * Moves the clock by that much, and runs whatever becomes due on the way.
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
   * Makes the running task take that long: the clock moves, and whatever becomes due waits for the
   * task.
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

  /** Removes and returns the next task whose time is not later than that. */
  private @Nullable Task takeUntil(long endNanos) {
    Task timed = later.peek();
    Task first = due.peek();
    if (first != null && (timed == null || Earlier.compareTasks(first, timed) < 0)) {
      return due.remove();
    }
    return timed == null || timed.atNanos - endNanos > 0 ? null : later.remove();
  }

  /** Work, its time, and its position among tasks of the same time. */
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

  /** Compares by difference, which is correct for clocks that may overflow. */
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
