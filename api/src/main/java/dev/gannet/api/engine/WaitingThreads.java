package dev.gannet.api.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for changes and are notified without a lock. With a lock, an event loop that
 * signals a change could wait behind virtual threads that have no processor, and all its
 * connections would stand still meanwhile.
 *
 * <p>A thread that waits reads {@link #changes}, checks its condition, and then calls {@link
 * #await(int)}, which returns at once if something has changed since. Safe for all threads.
 */
public final class WaitingThreads {
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicReference<@Nullable Waiting> newest = new AtomicReference<>();

  /** No waiting threads, and no changes. */
  public WaitingThreads() {}

  private record Waiting(Thread thread, @Nullable Waiting before) {}

  /** The number of changes, modulo 2^32. */
  public int changes() {
    return changes.get();
  }

  /** Something has changed: all waiting threads check again. Never blocks. */
  public void signal() {
    changes.incrementAndGet(); // write-then-check with await: changes first, then the list
    if (newest.get() != null) {
      wakeAll();
    }
  }

  /** Wakes all threads that have joined the list. */
  void wakeAll() {
    Waiting all = newest.getAndSet(null);
    for (Waiting next = all; next != null; next = next.before) {
      EventLoopThread.unpark(next.thread);
    }
  }

  /**
   * Blocks until the number of changes differs from {@code seen}.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void await(int seen) throws InterruptedException {
    while (changes.get() == seen) {
      // write-then-check with signal: joined first, then changes; each time, because a signal
      // removes all threads from the list
      join();
      if (changes.get() == seen) {
        LockSupport.park(this);
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * Like {@link #await(int)}, with a timeout.
   *
   * @return whether there was a change in time
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public boolean await(int seen, long atMostNanos) throws InterruptedException {
    long endNanos = System.nanoTime() + atMostNanos;
    while (changes.get() == seen) {
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0) {
        // removes also this thread's own entry, which would otherwise stay until a change
        wakeAll();
        return false;
      }
      join();
      if (changes.get() == seen) {
        LockSupport.parkNanos(this, leftNanos);
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return true;
  }

  /** Like {@link #await(int)}, but not interruptible; an interrupt is kept for later. */
  public void awaitUninterruptibly(int seen) {
    boolean interrupted = false;
    while (changes.get() == seen) {
      try {
        await(seen);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** For tests: whether a thread has joined since all were last woken. */
  boolean isAnybodyWaiting() {
    return newest.get() != null;
  }

  private void join() {
    Thread self = Thread.currentThread();
    Waiting before;
    do {
      before = newest.get();
    } while (!newest.compareAndSet(before, new Waiting(self, before)));
  }
}
