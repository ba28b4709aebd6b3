package dev.gannet.api.stub;

import dev.gannet.api.engine.WaitingThreads;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An executor without its own thread: its tasks run, one at a time, on the threads that wait for
 * their results.
 *
 * <p>The first waiting thread runs the tasks; the others are woken after each task and check their
 * conditions again. After {@link #abandon}, no thread may come any more: then tasks run on a new
 * thread, so that listeners learn of the call's end. An exception of a task is thrown to all
 * waiting threads: it is the end, and no task may follow.
 */
final class EventPump implements Executor {
  private final WaitingThreads waiting = new WaitingThreads();
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();
  private volatile boolean abandoned;
  private volatile @Nullable Throwable failure;

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    waiting.signal();
    if (abandoned) {
      Thread.startVirtualThread(this::runAll);
    }
  }

  /** The waiting threads have left before the end. */
  void abandon() {
    abandoned = true;
    waiting.signal();
    if (!tasks.isEmpty()) {
      Thread.startVirtualThread(this::runAll);
    }
  }

  private void runAll() {
    for (int seen = waiting.changes(); !tasks.isEmpty(); seen = waiting.changes()) {
      try {
        if (!runNext()) {
          waiting.awaitUninterruptibly(seen);
        }
      } catch (RuntimeException e) {
        // The call has logged it, and nobody else could handle it.
      }
    }
  }

  /** Something has changed, by a task or otherwise. */
  void signal() {
    if (!Thread.currentThread().equals(runner.get())) { // otherwise it is signalled after the task
      waiting.signal();
    }
  }

  /**
   * Runs tasks on this thread, or waits while another one runs them, until the condition is true.
   * Tasks may be users' code with its own locks.
   */
  void runUntil(BooleanSupplier condition) throws InterruptedException {
    for (int seen = waiting.changes(); !condition.getAsBoolean(); seen = waiting.changes()) {
      checkFailureAndInterrupt();
      if (!runNext()) {
        waiting.await(seen);
      }
    }
  }

  /**
   * Like {@link #runUntil(BooleanSupplier)}, with a timeout; returns whether the condition is true.
   * The available tasks run even if the timeout is 0: they are what has already arrived.
   */
  boolean runUntil(BooleanSupplier condition, long atMostNanos) throws InterruptedException {
    long endNanos = System.nanoTime() + atMostNanos;
    for (int seen = waiting.changes(); !condition.getAsBoolean(); seen = waiting.changes()) {
      checkFailureAndInterrupt();
      if (!runNext()) {
        long leftNanos = endNanos - System.nanoTime();
        if (leftNanos <= 0 || !waiting.await(seen, leftNanos)) {
          return condition.getAsBoolean();
        }
      }
    }
    return true;
  }

  private void checkFailureAndInterrupt() throws InterruptedException {
    if (failure != null) {
      throw new IllegalStateException("the end of the call could not be delivered", failure);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Runs the available tasks, without waiting. */
  void runArrived() {
    while (runNext()) {
      // One at a time.
    }
  }

  /**
   * Runs a task if there is one and no other thread is running one; otherwise that thread will
   * signal.
   */
  private boolean runNext() {
    if (tasks.isEmpty() || !runner.compareAndSet(null, Thread.currentThread())) {
      return false;
    }
    try {
      Runnable task = tasks.poll();
      if (task != null) {
        task.run();
      }
      return task != null;
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      runner.set(null);
      waiting.signal();
    }
  }
}
