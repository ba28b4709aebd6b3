package dev.gannet.transport.netty;

import dev.gannet.api.Deadline;
import dev.gannet.transport.Scheduler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The system's clock, and timers on event loops.
 *
 * @param loops called when loops are needed, because the first call may have to create them
 */
record NettyScheduler(Supplier<NettyEventLoops> loops) implements Scheduler {
  /** Uses the generator of each thread that asks for a number. */
  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    return loops.get().next().runLater(task, delayNanos);
  }

  @Override
  public void offload(Runnable task) {
    try {
      Thread.ofPlatform().daemon().name("gannet-offload").start(task);
    } catch (OutOfMemoryError e) {
      throw new RejectedExecutionException("no thread can be started", e);
    }
  }

  @Override
  public RandomGenerator random() {
    return RANDOM;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public LongSupplier clock() {
    return Deadline.systemTicker();
  }
}
