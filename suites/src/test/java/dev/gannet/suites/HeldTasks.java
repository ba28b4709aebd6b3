package dev.gannet.suites;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** An executor whose tasks run when a test says so. */
final class HeldTasks implements Executor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Runs the oldest one, which must be there. */
  void runOne() {
    tasks.remove().run();
  }

  /** Runs them all, and those that they add. */
  void run() {
    while (!isEmpty()) {
      runOne();
    }
  }
}
