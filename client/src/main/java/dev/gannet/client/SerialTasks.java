package dev.gannet.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a channel's tasks one at a time, in their order, on the threads that bring them: who brings
 * a task while none runs, runs it and those that others bring meanwhile. Nobody waits, and nothing
 * is locked, so a task may call anything. A task that is brought from inside another runs after it.
 *
 * <pre>
 *   IDLE ──first task──► RUNNING ──none is left──► IDLE, and what was put off runs
 * </pre>
 *
 * <p>What a task decides about calls and connections it puts off ({@link #afterwards}): that runs
 * outside, on the same thread, so that users' code in it does not hold the channel up.
 */
final class SerialTasks {
  private static final Logger LOG = System.getLogger(SerialTasks.class.getName());

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> afterwards = new ConcurrentLinkedQueue<>();

  /** How many tasks were brought and have not ended. */
  private final AtomicInteger brought = new AtomicInteger();

  /** Runs the task, now or behind those that are at work. Does not throw what it throws. */
  void run(Runnable task) {
    runAndTell(task);
  }

  /**
   * As {@link #run}.
   *
   * @return what was thrown first by what this thread ran, for callers who can do it again
   */
  @Nullable Throwable runAndTell(Runnable task) {
    tasks.add(task);
    if (brought.getAndIncrement() > 0) {
      return null; // whoever is at work runs it
    }
    Throwable first = null;
    do {
      first = firstOf(first, attempt(tasks.remove()));
    } while (brought.decrementAndGet() > 0);
    for (Runnable next = afterwards.poll(); next != null; next = afterwards.poll()) {
      first = firstOf(first, attempt(next));
    }
    return first;
  }

  /** Runs that when no task is at work any more. From inside a task. */
  void afterwards(Runnable action) {
    afterwards.add(action);
  }

  private static @Nullable Throwable firstOf(
      @Nullable Throwable first, @Nullable Throwable thrown) {
    return first == null ? thrown : first;
  }

  /** What one throws is no reason to leave out the others. */
  private static @Nullable Throwable attempt(Runnable task) {
    try {
      task.run();
      return null;
    } catch (Throwable e) {
      LOG.log(
          Level.WARNING,
          "a callback of a call, connection or load-balancing policy threw an exception",
          e);
      return e;
    }
  }
}
