package dev.gannet.suites.storm;

import dev.gannet.simulation.SimulatedLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor as users have them: quick, busy, or shut down in the middle of its work. */
final class StormExecutor implements Executor {
  /** What an executor is like. */
  enum Kind {
    /** On the caller's thread, at once. */
    DIRECT,
    /** Soon. */
    QUICK,
    /** After a while: all its threads have something else to do. */
    BUSY,
    /** Takes some tasks and refuses others. */
    REFUSING
  }

  /** The longest time that a task waits for a busy executor. */
  static final long MAX_WAIT_NANOS = 200_000_000;

  private static final long USUAL_WAIT_NANOS = 100_000;

  private final Kind kind;
  private final SimulatedLoop loop;
  private final Odds odds;

  StormExecutor(Kind kind, SimulatedLoop loop, Odds odds) {
    this.kind = kind;
    this.loop = loop;
    this.odds = odds;
  }

  boolean refuses() {
    return kind == Kind.REFUSING;
  }

  @Override
  public void execute(Runnable task) {
    switch (kind) {
      case DIRECT -> task.run();
      case QUICK -> loop.execute(task);
      case BUSY ->
          loop.schedule(task, odds.nanosBelow(odds.oneIn(10) ? MAX_WAIT_NANOS : USUAL_WAIT_NANOS));
      case REFUSING -> {
        if (odds.oneIn(4)) {
          throw new RejectedExecutionException("as planned");
        }
        loop.execute(task);
      }
    }
  }

  @Override
  public String toString() {
    return "a " + kind + " executor";
  }
}
