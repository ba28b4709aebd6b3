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
 *   IDLE ──enter──► AT WORK ──put──► AT WORK, orders wait ──leave──► AT WORK ──leave──► IDLE
 * </pre>
 */
abstract class Inlet {
  private static final AtomicReferenceFieldUpdater<Inlet, @Nullable Order> ORDERS =
      AtomicReferenceFieldUpdater.newUpdater(Inlet.class, Order.class, "orders");

  /** A task, and the one before it. */
  private static final class Order {
    private final Runnable task;
    private @Nullable Order next;

    Order(Runnable task) {
      this.task = task;
    }
  }

  private static final Order AT_WORK = new Order(() -> {});

  /** Null while idle; otherwise the waiting tasks, newest first, followed by {@link #AT_WORK}. */
  private volatile @Nullable Order orders;

  /** For a side whose first delivering thread is its creator. */
  final void enterFirst() {
    ORDERS.lazySet(this, AT_WORK);
  }

  /** Whether the calling thread delivers from now on, until it leaves. */
  final boolean enter() {
    return orders == null && ORDERS.compareAndSet(this, null, AT_WORK);
  }

  /** Runs the task now, or leaves it to the delivering thread. */
  final void put(Runnable task) {
    if (enter()) {
      work(task);
      return;
    }
    Order order = new Order(task);
    while (true) {
      Order newest = orders;
      if (newest == null) {
        if (enter()) {
          work(task);
          return;
        }
      } else {
        order.next = newest;
        if (ORDERS.compareAndSet(this, newest, order)) {
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

  /** The delivering thread leaves, after it has run the tasks of others. */
  final void leave() {
    while (!ORDERS.compareAndSet(this, AT_WORK, null)) {
      Order newest = ORDERS.getAndSet(this, AT_WORK);
      runInOrder(newest);
    }
  }

  private void runInOrder(@Nullable Order newest) {
    Order oldest = null;
    for (Order order = newest; order != null && order != AT_WORK; ) {
      Order before = order.next;
      order.next = oldest;
      oldest = order;
      order = before;
    }
    runFrom(oldest);
  }

  /** An exception of one task must not prevent the others. */
  private static void runFrom(@Nullable Order first) {
    Order order = first;
    try {
      while (order != null) {
        Runnable task = order.task;
        order = order.next;
        task.run();
      }
    } finally {
      if (order != null) {
        runFrom(order);
      }
    }
  }
}
