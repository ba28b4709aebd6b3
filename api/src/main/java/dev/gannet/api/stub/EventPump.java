package dev.gannet.api.stub;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An executor without a thread of its own: its tasks run on the threads that wait for their effect,
 * one at a time.
 *
 * <p>Whoever waits first runs what arrives; the others are woken after each task and look at their
 * own condition again.
 */
final class EventPump implements Executor {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>(4);
  private boolean running;
  private volatile @Nullable Thread runner;

  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      tasks.add(task);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Something has changed, by a task or without one. */
  void signal() {
    if (!Thread.currentThread().equals(runner)) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Runs tasks on this thread, or waits while another runs them, until the condition holds. */
  void runUntil(BooleanSupplier condition) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!condition.getAsBoolean()) {
        if (running || tasks.isEmpty()) {
          changed.await();
        } else {
          runOne(tasks.remove());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs what has arrived, without waiting. */
  void runArrived() {
    lock.lock();
    try {
      while (!running && !tasks.isEmpty()) {
        runOne(tasks.remove());
      }
    } finally {
      lock.unlock();
    }
  }

  private void runOne(Runnable task) {
    running = true;
    runner = Thread.currentThread();
    lock.unlock();
    try {
      task.run();
    } finally {
      lock.lock();
      running = false;
      runner = null;
      changed.signalAll();
    }
  }
}
