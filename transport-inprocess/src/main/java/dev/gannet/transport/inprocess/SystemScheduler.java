package dev.gannet.transport.inprocess;

import dev.gannet.api.Deadline;
import dev.gannet.transport.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The JVM's clock and the timer of its {@link CompletableFuture}s, which exists in any case;
 * expired timers run on new virtual threads.
 */
enum SystemScheduler implements Scheduler {
  INSTANCE;

  private static final Thread.Builder THREADS =
      Thread.ofVirtual().name("gannet-inprocess").inheritInheritableThreadLocals(false);
  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    CompletableFuture<Boolean> timer =
        new CompletableFuture<Boolean>().orTimeout(Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    CompletableFuture<Boolean> unused =
        timer.whenComplete((taken, thrown) -> {
          if (thrown instanceof TimeoutException) {
            THREADS.start(task);
          }
        });
    return () -> timer.complete(true);
  }

  @Override
  public void offload(Runnable task) {
    THREADS.start(task);
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
