package dev.gannet.transport.inprocess;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Where one side of a call is told what happens: by one thread at a time, in order, without a lock
 * and without a thread of its own. Who finds nobody at work does the work; who finds somebody
 * leaves it to that thread, which does it before it goes. So nobody waits here, and a side that is
 * told something while it tells something itself hears of it later and not deeper in the stack.
 *
 * <pre>
 *   IDLE ──enter──► AT WORK ──put──► AT WORK, orders wait ──leave──► AT WORK ──leave──► IDLE
 * </pre>
 */
abstract class Inlet {
  private static final AtomicReferenceFieldUpdater<Inlet, @Nullable Order> ORDERS =
      AtomicReferenceFieldUpdater.newUpdater(Inlet.class, Order.class, "orders");

  /** Something to do, and what came before it. */
  private static final class Order {
    private final Runnable task;
    private @Nullable Order next;

    Order(Runnable task) {
      this.task = task;
    }
  }

  private static final Order AT_WORK = new Order(() -> {});

  /** Null while idle; else what waits, newest first, and {@link #AT_WORK} behind it. */
  private volatile @Nullable Order orders;

  /** For one side whose first worker is the maker. */
  final void enterFirst() {
    ORDERS.lazySet(this, AT_WORK);
  }

  /** Whether the calling thread is the worker from now on, until it leaves. */
  final boolean enter() {
    return orders == null && ORDERS.compareAndSet(this, null, AT_WORK);
  }

  /** Does that now, or has the thread do it that is at work. */
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

  /** The worker goes, when it has done what others have left to it. */
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

  /** What one of them throws does not keep the others from being done. */
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
