package dev.gannet.transport.inprocess;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to one side of a call: by one thread at a time, in order, without a lock and
 * without its own thread. A thread that finds no other thread delivering does it itself; otherwise
 * it leaves its task to that thread, which runs it before it leaves. So no thread waits, and if a
 * side causes an event for itself during a delivery, it gets it afterwards and not by recursion.
 *
 * <pre>
 *   IDLE ──enter──► AT WORK ──execute──► AT WORK, tasks wait ──leave──► AT WORK ──leave──► IDLE
 * </pre>
 */
abstract class SerialDelivery {
  private static final AtomicReferenceFieldUpdater<SerialDelivery, @Nullable Task> TASKS =
      AtomicReferenceFieldUpdater.newUpdater(SerialDelivery.class, Task.class, "tasks");

  /** A task, and the one before it. */
  private static final class Task {
    private final Runnable task;
    private @Nullable Task next;

    Task(Runnable task) {
      this.task = task;
    }
  }

  private static final Task AT_WORK = new Task(() -> {});

  /** Null while idle; otherwise the waiting tasks, newest first, followed by {@link #AT_WORK}. */
  private volatile @Nullable Task tasks;

  /** For a side whose first delivering thread is its creator. */
  final void enterFirst() {
    TASKS.lazySet(this, AT_WORK);
  }

  /** Whether the calling thread delivers from now on, until it leaves. */
  final boolean enter() {
    return tasks == null && TASKS.compareAndSet(this, null, AT_WORK);
  }

  /** Runs the task now, or leaves it to the delivering thread. */
  final void execute(Runnable task) {
    if (enter()) {
      work(task);
      return;
    }
    Task waiting = new Task(task);
    while (true) {
      Task newest = tasks;
      if (newest == null) {
        if (enter()) {
          work(task);
          return;
        }
      } else {
        waiting.next = newest;
        if (TASKS.compareAndSet(this, newest, waiting)) {
          return;
        }
      }
    }
  }

  private void work(Runnable task) {
    try {
      task.run();
    } finally {
      leave();
    }
  }

  /**
   * The delivering thread leaves, after it has run the tasks of others. If one of them throws, it
   * leaves as well: otherwise no later task would ever run.
   */
  final void leave() {
    while (!TASKS.compareAndSet(this, AT_WORK, null)) {
      Task newest = TASKS.getAndSet(this, AT_WORK);
      boolean returned = false;
      try {
        runInOrder(newest);
        returned = true;
      } finally {
        if (!returned) {
          leave();
        }
      }
    }
  }

  private void runInOrder(@Nullable Task newest) {
    Task oldest = null;
    for (Task waiting = newest; waiting != null && waiting != AT_WORK; ) {
      Task before = waiting.next;
      waiting.next = oldest;
      oldest = waiting;
      waiting = before;
    }
    runFrom(oldest);
  }

  /** An exception of one task must not prevent the others. */
  private static void runFrom(@Nullable Task first) {
    Task waiting = first;
    try {
      while (waiting != null) {
        Runnable task = waiting.task;
        waiting = waiting.next;
        task.run();
      }
    } finally {
      if (waiting != null) {
        runFrom(waiting);
      }
    }
  }
}
