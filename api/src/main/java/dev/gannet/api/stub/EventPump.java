package dev.gannet.api.stub;

import dev.gannet.api.engine.WaitingThreads;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An executor without a thread of its own: its tasks run on the threads that wait for their effect,
 * one at a time.
 *
 * <p>Whoever waits first runs what arrives; the others are woken after each task and look at their
 * own condition again. Once it is abandoned, nobody may come any more: then tasks have a thread of
 * their own, so that whoever listens learns of the call's end. What a task throws is thrown to all
 * who wait: it is the end, and none may come behind it.
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

  /** Those who waited have left before the end. */
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
        // The call has logged it, and there is nobody else to hear it.
      }
    }
  }

  /** Something has changed, by a task or without one. */
  void signal() {
    if (!Thread.currentThread().equals(runner.get())) { // else it is told when the task has run
      waiting.signal();
    }
  }

  /**
   * Runs tasks on this thread, or waits while another runs them, until the condition holds. That
   * may be others' code, with locks of its own.
   */
  void runUntil(BooleanSupplier condition) throws InterruptedException {
    for (int seen = waiting.changes(); !condition.getAsBoolean(); seen = waiting.changes()) {
      checkFailureAndInterrupt();
      if (!runNext()) {
        waiting.await(seen);
      }
    }
  }

  /** As {@link #runUntil(BooleanSupplier)}, but for no longer than that; whether it holds then. */
  boolean runUntil(BooleanSupplier condition, long atMostNanos) throws InterruptedException {
    long endNanos = System.nanoTime() + atMostNanos;
    for (int seen = waiting.changes(); !condition.getAsBoolean(); seen = waiting.changes()) {
      checkFailureAndInterrupt();
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0 || (!runNext() && !waiting.await(seen, leftNanos))) {
        return condition.getAsBoolean();
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

  /** Runs what has arrived, without waiting. */
  void runArrived() {
    while (runNext()) {
      // One after the other.
    }
  }

  /** Runs a task if there is one and no other thread is at it; otherwise it will signal. */
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
