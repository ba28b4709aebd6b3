package dev.gannet.transport;

import dev.gannet.api.Deadline;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The clock, the timers, the threads for blocking work and the random numbers of everything that
 * uses one transport. Real transports take them from the system; tests replace them all at once.
 * Safe for all threads.
 */
public interface Scheduler {
  /** Cancels a scheduled task. */
  interface Cancellable {
    void cancel();
  }

  /**
   * Runs the task once after the delay, on some event loop; it must not block. 146 years or more,
   * such as {@code Long.MAX_VALUE}, mean never.
   */
  Cancellable schedule(Runnable task, long delayNanos);

  /** Runs a task that may block on a thread that is not an event loop. */
  void offload(Runnable task);

  /**
   * Random numbers, for delays that must not all end at the same time, and for choices. Like all of
   * this, the generator is safe for all threads, and may be kept.
   */
  RandomGenerator random();

  /** The clock of all connections and timers, in nanoseconds. */
  long nanoTime();

  /**
   * {@link #nanoTime} as the ticker of deadlines. A scheduler that uses the system's clock returns
   * {@link Deadline#systemTicker}, so that its deadlines need no conversion.
   */
  default LongSupplier clock() {
    return this::nanoTime;
  }
}
