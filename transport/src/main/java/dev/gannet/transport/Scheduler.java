package dev.gannet.transport;

import java.util.random.RandomGenerator;

/**
 * The clock, the timers, the threads for blocking work and the randomness of everything that uses
 * one transport. Real transports take them from the system; tests replace them all at once. Safe
 * for all threads.
 */
public interface Scheduler {
  /** A way to take something back that was to happen later. */
  interface Cancellable {
    void cancel();
  }

  /** Runs the task once, that much later, on some event loop; it must not block. */
  Cancellable schedule(Runnable task, long delayNanos);

  /** Runs a task that may block, away from all event loops. */
  void offload(Runnable task);

  /** Randomness, for waits that must not all end at the same time. */
  RandomGenerator random();

  /** The clock of all connections and timers, in nanoseconds. */
  long nanoTime();
}
