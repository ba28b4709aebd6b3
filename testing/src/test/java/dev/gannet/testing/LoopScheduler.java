package dev.gannet.testing;

import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.Scheduler;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The clock, the timers and the one thread of a {@link SimulatedLoop}. */
final class LoopScheduler implements Scheduler {
  private final SimulatedLoop loop;
  private final SplittableRandom random = new SplittableRandom(1);

  LoopScheduler(SimulatedLoop loop) {
    this.loop = loop;
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    return loop.schedule(task, delayNanos);
  }

  @Override
  public void offload(Runnable task) {
    loop.execute(task);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }
}
