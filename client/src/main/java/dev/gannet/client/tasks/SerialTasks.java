package dev.gannet.client.tasks;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallParent;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs a channel's tasks one at a time, in order, on the threads that add them: a thread that adds
 * a task while none is running runs it, and also those that others add meanwhile. No thread waits,
 * and nothing is locked, so a task may call anything. A task that is added by another task runs
 * after it.
 *
 * <pre>
 *   IDLE ──first task──► RUNNING ──none is left──► IDLE, and deferred actions run
 * </pre>
 *
 * <p>Effects of a task on calls and connections are deferred ({@link #afterwards}): they run after
 * the tasks that a thread has run, on the same thread, so that users' code in them does not block
 * the channel. Meanwhile other threads may run tasks and their effects.
 *
 * <p>Tasks and their effects run without a current call ({@link CallContext#current}): the thread
 * may be that of a handler, whose call has nothing to do with them.
 */
public final class SerialTasks {
  private static final Logger LOG = System.getLogger(SerialTasks.class.getName());

  private final String failureText;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** What the running task has deferred. Used only by the thread that runs tasks. */
  private final Queue<Runnable> afterwards = new ArrayDeque<>();

  /** The number of tasks that were added and have not ended. */
  private final AtomicInteger unfinished = new AtomicInteger();

  /**
   * No task is running.
   *
   * @param target the channel's target, for the log
   */
  public SerialTasks(String target) {
    this.failureText =
        "a listener, resolver or load-balancing policy of the channel to "
            + target
            + " threw an exception";
  }

  /** Runs the task, now or after the current ones. Its exceptions are not thrown. */
  public void run(Runnable task) {
    runAndReturnFailure(task);
  }

  /**
   * Like {@link #run}.
   *
   * @return the first exception of what this thread ran, for callers that can try again
   */
  public @Nullable Throwable runAndReturnFailure(Runnable task) {
    tasks.add(task);
    if (unfinished.getAndIncrement() > 0) {
      return null; // the thread that is running tasks runs it
    }
    if (CallParent.current().isEmpty()) {
      return runAll();
    }
    AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    CallContext.runDetached(() -> first.set(runAll()));
    return first.get();
  }

  private @Nullable Throwable runAll() {
    Throwable first = null;
    List<Runnable> deferred = List.of();
    do {
      first = firstOf(first, attempt(tasks.remove()));
      deferred = withDeferred(deferred);
    } while (unfinished.decrementAndGet() > 0);
    for (Runnable next : deferred) {
      first = firstOf(first, attempt(next));
    }
    return first;
  }

  /** Taken before the next thread may run tasks, so that each thread has those of its own tasks. */
  private List<Runnable> withDeferred(List<Runnable> earlier) {
    if (afterwards.isEmpty()) {
      return earlier;
    }
    try {
      List<Runnable> all = new ArrayList<>(earlier);
      all.addAll(afterwards);
      afterwards.clear();
      return all;
    } catch (OutOfMemoryError e) {
      return earlier; // the next task takes them
    }
  }

  /**
   * Runs the action on this thread when it has no tasks left to run. Must be called by a task;
   * effects themselves may simply go on.
   */
  public void afterwards(Runnable action) {
    afterwards.add(action);
  }

  /**
   * Like {@link #afterwards}, for the code of a plug-in: its exceptions are only logged, so that no
   * caller of {@link #runAndReturnFailure} gets them.
   */
  public void callPluginAfterwards(Runnable plugin) {
    afterwards(() -> attempt(plugin));
  }

  private static @Nullable Throwable firstOf(
      @Nullable Throwable first, @Nullable Throwable thrown) {
    return first == null ? thrown : first;
  }

  /** An exception of one task must not prevent the others. */
  private @Nullable Throwable attempt(Runnable task) {
    try {
      task.run();
      return null;
    } catch (Throwable e) {
      GuardedLog.warn(LOG, failureText, e); // otherwise no later task would run
      return e;
    }
  }
}
