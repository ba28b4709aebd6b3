package dev.gannet.transport;

import dev.gannet.api.engine.WaitingThreads;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An inbox whose receiver may block inside an event until further events have come: {@link #await}
 * delivers them on the threads that wait, which may be others than that of the event.
 *
 * <pre>
 *   RUNNING ──an event begins──► IN_EVENT ──a waiting thread takes an event──► NESTED
 *      ▲─────────it ends────────────┘  ▲─────────that one is processed────────────┘ │
 *    IDLE ◄────that one is processed──────────── LEFT ◄──the outer event ends───────┘
 * </pre>
 *
 * <p>Waiting threads deliver only while the receiver is inside an event, so two threads never
 * deliver at once. If an outer event ends while one of them is delivering, that thread has the
 * delivery to itself (LEFT): the outer thread goes, and what has arrived since is delivered where
 * the inbox is executed.
 */
public abstract class AwaitableInbox extends CallInbox {
  // These continue the states of CallInbox, in the same field: it costs a call no memory.
  private static final int IN_EVENT = RUNNING + 1;
  private static final int NESTED = IN_EVENT + 1;
  private static final int LEFT = NESTED + 1;

  private static final AtomicReferenceFieldUpdater<AwaitableInbox, @Nullable Waiters> WAITERS =
      AtomicReferenceFieldUpdater.newUpdater(AwaitableInbox.class, Waiters.class, "waiters");

  private volatile @Nullable Waiters waiters;

  /** The thread of the outer event; written only by that thread, and only compared. */
  private @Nullable Thread outer;

  protected AwaitableInbox() {}

  /** Whether the receiver may wait at all. Always the same. */
  protected abstract boolean mayWait();

  /**
   * The calling thread would wait for ever: no event is being processed, or the event in which it
   * began to wait has ended. Ends the call; then {@link #await} returns.
   */
  protected abstract void onStuck();

  /** A waiting thread has delivered an event, and the outer event has ended meanwhile. */
  protected void onLeft() {}

  @Override
  void onAlreadyDelivering() {
    wakeWaiters();
  }

  /** Lets threads in {@link #await} check their condition again. */
  public final void wakeWaiters() {
    Waiters waiting = waiters;
    if (waiting != null) {
      waiting.threads.signal();
    }
  }

  @Override
  final void beginEvent() {
    outer = Thread.currentThread();
    if (mayWait()) {
      STATE.lazySet(this, IN_EVENT); // only seen by threads that the event starts or wakes
    }
  }

  @Override
  final boolean endEvent() {
    outer = null;
    return !mayWait() || endOuterEvent();
  }

  private boolean endOuterEvent() {
    while (!STATE.compareAndSet(this, IN_EVENT, RUNNING)) {
      if (STATE.compareAndSet(this, NESTED, LEFT)) {
        return false;
      }
    }
    dismissWaiters();
    return true;
  }

  /** The event has ended: those who still wait deliver nothing inside the next one. */
  private void dismissWaiters() {
    Waiters dismissed = waiters;
    if (dismissed != null) {
      waiters = null;
      dismissed.threads.signal();
    }
  }

  /** Whether this thread is inside an event. */
  public final boolean isDeliveringHere() {
    return Thread.currentThread().equals(outer) || isNestedHere();
  }

  /** Whether this thread is inside an event that it delivers while the receiver waits. */
  public final boolean isNestedHere() {
    Waiters waiting = waiters;
    return waiting != null && Thread.currentThread().equals(waiting.delivering);
  }

  /**
   * Blocks until the condition is true, or {@link #onStuck}, and delivers events meanwhile. The
   * condition is checked after each event, without a lock, because it may be others' code with its
   * own locks. For any thread while the receiver is inside an event.
   */
  public final void await(BooleanSupplier until) throws InterruptedException {
    await(until, Long.MAX_VALUE);
  }

  /** Like {@link #await(BooleanSupplier)}, with a timeout. */
  public final void await(BooleanSupplier until, long atMostNanos) throws InterruptedException {
    long endNanos = atMostNanos == Long.MAX_VALUE ? 0 : System.nanoTime() + atMostNanos;
    Waiters all = joinWaiters();
    try {
      int seen = all.threads.changes();
      while (!until.getAsBoolean()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (!deliverNext(all)) {
          if (state < IN_EVENT || !isOfThisEvent(all)) {
            // write-then-check with await in the next event: state first (in deliverNext), then its
            // waiters; one of them may have found NESTED, set by this thread, and parked
            wakeWaiters();
            if (!until.getAsBoolean()) {
              onStuck();
            }
            return;
          }
          if (atMostNanos == Long.MAX_VALUE) {
            all.threads.await(seen);
          } else if (!awaitChange(all, seen, endNanos)) {
            return;
          }
        }
        seen = all.threads.changes();
      }
    } finally {
      all.threads.signal(); // another thread may have to deliver now
    }
  }

  /** Waits for a change; returns false if the time ended before there was one. */
  private static boolean awaitChange(Waiters all, int seen, long endNanos)
      throws InterruptedException {
    long leftNanos = endNanos - System.nanoTime();
    return leftNanos > 0 && all.threads.await(seen, leftNanos);
  }

  /**
   * Delivers an event if there is one and no other thread is delivering; otherwise that thread
   * signals.
   */
  private boolean deliverNext(Waiters all) {
    if (!STATE.compareAndSet(this, IN_EVENT, NESTED)) {
      return false;
    }
    boolean delivered = false;
    try {
      all.delivering = Thread.currentThread();
      CallEvent event = isOfThisEvent(all) ? next() : null;
      delivered = event != null;
      if (event != null) {
        receive(event);
      }
    } finally {
      all.delivering = null;
      if (!STATE.compareAndSet(this, NESTED, IN_EVENT)) {
        endLeftDelivery();
      } else if (delivered || isDeliverable()) { // a request may have been made after next()
        all.threads.signal();
      }
    }
    return delivered;
  }

  /** The outer event has ended meanwhile, and its thread has left the delivery to this one. */
  private void endLeftDelivery() {
    dismissWaiters();
    onLeft();
    leaveDelivery();
  }

  /** Whether the event in which these threads began to wait has not ended. */
  private boolean isOfThisEvent(Waiters all) {
    return all.equals(waiters);
  }

  private Waiters joinWaiters() {
    while (true) {
      Waiters joined = waiters;
      if (joined != null) {
        return joined;
      }
      WAITERS.compareAndSet(this, null, new Waiters());
    }
  }

  /** The threads of a blocking receiver: one delivers, the others wait for changes. */
  private static final class Waiters {
    private final WaitingThreads threads = new WaitingThreads();

    /** Written only by that thread, and only compared. */
    private @Nullable Thread delivering;
  }
}
