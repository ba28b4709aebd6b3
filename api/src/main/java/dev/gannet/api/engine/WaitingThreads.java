package dev.gannet.api.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for a change of something, and hear of each without a lock. For transports:
 * with a lock, an event loop that tells of a change would queue behind virtual threads that have
 * their turn but no processor, and all its connections would stand still meanwhile.
 *
 * <p>Whoever waits reads {@link #changes}, looks at what it waits for, and then calls {@link
 * #await(int)}, which returns at once if something has changed since. Safe for all threads.
 */
public final class WaitingThreads {
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicReference<@Nullable Waiting> newest = new AtomicReference<>();

  /** Nobody waits, and nothing has changed. */
  public WaitingThreads() {}

  private record Waiting(Thread thread, @Nullable Waiting before) {}

  /** How many changes there were, modulo 2^32. */
  public int changes() {
    return changes.get();
  }

  /** Something has changed: all look again. Never blocks. */
  public void signal() {
    changes.incrementAndGet();
    if (newest.get() != null) {
      wakeAll();
    }
  }

  /** Those who have joined by now, whichever change they wait for. */
  void wakeAll() {
    Waiting all = newest.getAndSet(null);
    for (Waiting next = all; next != null; next = next.before) {
      LockSupport.unpark(next.thread);
    }
  }

  /**
   * Blocks until there were other than {@code seen} changes.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void await(int seen) throws InterruptedException {
    while (changes.get() == seen) {
      join(); // each time: a signal of a change before may have taken it out
      if (changes.get() == seen) {
        LockSupport.park(this);
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * As {@link #await(int)}, but for no longer than that.
   *
   * @return whether there was a change in time
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public boolean await(int seen, long atMostNanos) throws InterruptedException {
    long endNanos = System.nanoTime() + atMostNanos;
    while (changes.get() == seen) {
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0) {
        wakeAll(); // and with them this thread's own entry goes, which would stay until a change
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

  /** As {@link #await(int)}, whatever interrupts it; an interrupt is kept for later. */
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

  /** Whether anybody has joined since all were woken last. */
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
