package dev.gannet.api.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has virtual threads do the work that would hold an event loop too long.
 *
 * <p>A virtual thread that waits while it is pinned keeps its carrier: with a native frame on its
 * stack, such as that of a class initializer, and before Java 24 also in a {@code synchronized}
 * block (JEP 491). If callers that wait for a response keep all carriers, the work for them would
 * never begin. So from time to time the loop has a platform thread do what no virtual thread has
 * begun ({@link #startLeft}).
 *
 * <p>Confined to the thread of the event loop.
 */
public final class OffLoop {
  /** What was left to virtual threads, oldest first; some may have begun. */
  private final ArrayDeque<Task> left = new ArrayDeque<>();

  /** Work that is done once, by the thread that begins it first. */
  private static final class Task implements Runnable {
    private final Runnable work;
    private final AtomicBoolean begun = new AtomicBoolean();

    Task(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      if (begun.compareAndSet(false, true)) {
        work.run();
      }
    }
  }

  /** Without work. */
  public OffLoop() {}

  /**
   * Has a virtual thread do the work soon.
   *
   * @param threads makes virtual threads
   * @return false if no thread can be started, so that the loop has to do it
   */
  public boolean tryLeave(Thread.Builder.OfVirtual threads, Runnable work) {
    Task task = null;
    try { // there may be no memory for any of these
      forgetBegun();
      task = new Task(work);
      threads.start(task);
      left.addLast(task);
      return true;
    } catch (RuntimeException | Error e) {
      return task != null && !task.begun.compareAndSet(false, true);
    }
  }

  private void forgetBegun() {
    while (!left.isEmpty() && left.getFirst().begun.get()) {
      left.removeFirst();
    }
  }

  /** Has a platform thread do the work that no thread has begun yet. */
  public void startLeft() {
    forgetBegun();
    if (left.isEmpty()) {
      return;
    }
    try {
      List<Task> waiting = new ArrayList<>(left);
      Runnable all = () -> waiting.forEach(OffLoop::run);
      Thread.ofPlatform().daemon().name("gannet-off-loop").start(all);
      left.clear();
    } catch (RuntimeException | Error e) { // late is better than never
      runHere();
    }
  }

  private void runHere() {
    Task task;
    while ((task = left.pollFirst()) != null) {
      run(task);
    }
  }

  /** An exception is reported as it would be by a thread for this work alone. */
  private static void run(Task task) {
    try {
      task.run();
    } catch (Throwable e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
