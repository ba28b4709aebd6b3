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
 * own condition again. Once it is abandoned, nobody may come any more: then tasks have a thread of
 * their own, so that whoever listens learns of the call's end. What a task throws is thrown to all
 * who wait: it is the end, and none may come behind it.
 */
final class EventPump implements Executor {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>(4);
  private boolean running;
  private boolean abandoned;
  private volatile int changes;
  private @Nullable Throwable failure;
  private volatile @Nullable Thread runner;

  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      tasks.add(task);
      tellOfChange();
      if (!abandoned) {
        return;
      }
    } finally {
      lock.unlock();
    }
    Thread.startVirtualThread(this::runAll);
  }

  /** Those who waited have left before the end. */
  void abandon() {
    lock.lock();
    try {
      abandoned = true;
      tellOfChange();
      if (tasks.isEmpty()) {
        return;
      }
    } finally {
      lock.unlock();
    }
    Thread.startVirtualThread(this::runAll);
  }

  private void runAll() {
    lock.lock();
    try {
      while (!tasks.isEmpty()) {
        if (running) {
          changed.awaitUninterruptibly();
        } else {
          runAlone(tasks.remove());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** What the task throws has been logged by the call, and there is nobody else to hear it. */
  private void runAlone(Runnable task) {
    try {
      runOne(task);
    } catch (RuntimeException e) {
      tellOfChange();
    }
  }

  /** Something has changed, by a task or without one. */
  void signal() {
    if (!Thread.currentThread().equals(runner)) {
      lock.lock();
      try {
        tellOfChange();
      } finally {
        lock.unlock();
      }
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private void tellOfChange() {
    changes++;
    changed.signalAll();
  }

  /**
   * Runs tasks on this thread, or waits while another runs them, until the condition holds. That is
   * asked without the lock, for it may be others' code, with locks of its own.
   */
  void runUntil(BooleanSupplier condition) throws InterruptedException {
    int seen = changes;
    while (!condition.getAsBoolean()) {
      lock.lockInterruptibly();
      try {
        if (failure != null) {
          throw new IllegalStateException("the call's end could not be told", failure);
        } else if (!running && !tasks.isEmpty()) {
          runOne(tasks.remove());
        } else if (changes == seen) {
          changed.await();
        }
        seen = changes;
      } finally {
        lock.unlock();
      }
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
      lock.lock();
    } catch (RuntimeException | Error e) {
      lock.lock();
      failure = e;
      throw e;
    } finally {
      running = false;
      runner = null;
      tellOfChange();
    }
  }
}
