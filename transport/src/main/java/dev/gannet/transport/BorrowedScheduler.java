package dev.gannet.transport;

import java.util.random.RandomGenerator;

/** A scheduler that uses another one, as a transport does that runs over something else. */
public interface BorrowedScheduler extends Scheduler {
  /** The scheduler that is used. Always the same. */
  Scheduler lender();

  @Override
  default Cancellable schedule(Runnable task, long delayNanos) {
    return lender().schedule(task, delayNanos);
  }

  @Override
  default void offload(Runnable task) {
    lender().offload(task);
  }

  @Override
  default RandomGenerator random() {
    return lender().random();
  }

  @Override
  default long nanoTime() {
    return lender().nanoTime();
  }
}
