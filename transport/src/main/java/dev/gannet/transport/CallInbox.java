package dev.gannet.transport;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The event queue of one call: transports add events, which are delivered to their receiver one at
 * a time, in order, on at most one thread at a time; messages only as far as they were requested
 * and paid for.
 *
 * <pre>
 *        wake            the executor runs it           nothing deliverable left
 *   IDLE ─────► QUEUED ─────────────────────► RUNNING ───────────────────────────► IDLE
 *    │ ▲──refused──┘                             ▲
 *    └───────────────────deliverHere─────────────┘
 * </pre>
 *
 * <p>The receiver of a call's events extends this class instead of holding an inbox: each call has
 * one receiver per side, and a separate object would need 24 more bytes.
 *
 * <p>{@link #add} and {@link #request} may be called by any thread. A receiver that waits for
 * further events inside an event extends {@link AwaitableInbox}.
 */
public abstract class CallInbox implements Runnable {
  private static final int IDLE = 0;
  private static final int QUEUED = 1;

  /** The greater numbers are the states of an {@link AwaitableInbox} while it is RUNNING. */
  static final int RUNNING = 2;

  // There is an inbox for each call, and atomic objects would be most of its memory.
  private static final AtomicReferenceFieldUpdater<CallInbox, @Nullable CallEvent> ARRIVED =
      AtomicReferenceFieldUpdater.newUpdater(CallInbox.class, CallEvent.class, "arrived");
  static final AtomicIntegerFieldUpdater<CallInbox> STATE =
      AtomicIntegerFieldUpdater.newUpdater(CallInbox.class, "state");
  private static final AtomicIntegerFieldUpdater<CallInbox> REQUESTED =
      AtomicIntegerFieldUpdater.newUpdater(CallInbox.class, "requested");

  /** Requested so many that they are not counted. */
  private static final int ALL = Integer.MAX_VALUE;

  private volatile @Nullable CallEvent arrived;
  volatile int state; // IDLE at first; a volatile write of it would cost each call a fence
  private volatile int requested;

  // Removed from arrived and in order; only used by the delivering thread.
  private @Nullable CallEvent head;
  private @Nullable CallEvent tail;

  /** The first event when nothing more could be delivered. */
  private volatile @Nullable CallEvent held;

  protected CallInbox() {}

  /**
   * Lets a thread {@link #run} this, now or soon.
   *
   * @throws RejectedExecutionException if that is not possible; users' code may throw anything
   */
  protected abstract void execute();

  /** Processes an event. */
  protected abstract void receive(CallEvent event);

  /**
   * What is delivered before the events that have arrived, or null. Asked each time that events are
   * about to be delivered; the first time there may be none yet.
   */
  protected @Nullable CallEvent firstEvent() {
    return null;
  }

  /** The call has ended, but its end waits behind a message that was not requested. */
  protected void onEndHeld() {}

  /** A thread is delivering already, and will see what has arrived. */
  void onAlreadyDelivering() {}

  /** The delivering thread is about to pass an event to the receiver. */
  void beginEvent() {}

  /**
   * The receiver has processed that event, or has thrown.
   *
   * @return whether this thread continues to deliver; otherwise another one does, and ends with
   *     {@link #leaveDelivery}
   */
  boolean endEvent() {
    return true;
  }

  /** Adds an event; no thread is woken before {@link #wake}. */
  public void add(CallEvent event) {
    CallEvent before;
    do {
      before = arrived;
      event.next = before;
    } while (!ARRIVED.compareAndSet(this, before, event));
  }

  /** Adds an event before the first wake, when no other thread can know this inbox. */
  protected final void addUnshared(CallEvent event) {
    event.next = arrived;
    ARRIVED.lazySet(this, event);
  }

  /**
   * Adds an end that overtakes events that have arrived but were not processed yet.
   *
   * <p>Messages that the delivering thread has already put in order are dropped without a report,
   * because only that thread knows them. They take their memory until the transport drops what is
   * unread, when the receiver has ended.
   *
   * @param undelivered called for each message that no thread has put in order yet; it will not be
   *     delivered
   */
  public final void addAtOnce(CallEvent.Closed end, Consumer<CallEvent.Message> undelivered) {
    for (CallEvent event = ARRIVED.getAndSet(this, end); event != null; event = event.next) {
      if (event instanceof CallEvent.Message message) {
        undelivered.accept(message);
      }
    }
  }

  /** Whether an event was added, or paid for, since events were last delivered. */
  public final boolean hasArrivals() {
    return arrived != null || (held instanceof CallEvent.Message message && message.wasPaidFor());
  }

  /**
   * Allows this number of further messages to be delivered; {@link Integer#MAX_VALUE} means all
   * that come.
   */
  public void request(int messages) {
    REQUESTED.accumulateAndGet(this, messages, CallInbox::sum);
    if (held != null || arrived != null) {
      wake();
    }
  }

  private static int sum(int requested, int more) {
    return (int) Math.min(ALL, (long) requested + more);
  }

  /** Allows all messages to be delivered; inside an event, whose thread then goes on with them. */
  protected final void requestAllInside() {
    REQUESTED.lazySet(this, ALL);
  }

  /** Whether more messages were requested than were delivered. */
  public boolean isMessageRequested() {
    return requested > 0;
  }

  /**
   * Ensures that deliverable events are delivered.
   *
   * @throws RejectedExecutionException if the executor fails in any way; nothing is lost, and
   *     another wake tries again
   */
  public void wake() {
    wakeOrThrow();
  }

  private void wakeOrThrow() {
    if (begin(QUEUED)) {
      executeQueued();
    } else {
      onAlreadyDelivering();
    }
  }

  /** The first {@link #wake}: before it no other thread can know this inbox. */
  protected void wakeFirst() {
    STATE.lazySet(this, QUEUED);
    executeQueued();
  }

  private void executeQueued() {
    try {
      execute();
    } catch (Throwable e) { // a user's executor: any failure is a rejection
      STATE.compareAndSet(this, QUEUED, IDLE);
      throw refusal(e);
    }
  }

  private static RejectedExecutionException refusal(Throwable thrown) {
    return thrown instanceof RejectedExecutionException refusal
        ? refusal
        : new RejectedExecutionException("the executor failed: " + thrown, thrown);
  }

  /**
   * Like {@link #wake}, but on the calling thread: for the case that the executor rejects tasks.
   */
  public final void deliverHere() {
    if (begin(RUNNING)) {
      deliver();
    }
  }

  /**
   * Delivers deliverable events. Called after {@link #execute}; does nothing if that has failed,
   * because some executors keep a task that they reject.
   */
  @Override
  public void run() {
    deliverAll();
  }

  /** Delivers deliverable events; for {@link #run} with additional thread state. */
  protected final void deliverAll() {
    if (STATE.compareAndSet(this, QUEUED, RUNNING)) {
      deliver();
    }
  }

  private void deliver() {
    boolean mine = true;
    try {
      do {
        CallEvent first = firstEvent();
        CallEvent event = first == null ? next() : first;
        while (event != null) {
          beginEvent();
          try {
            receive(event);
          } finally {
            mine = endEvent();
          }
          event = mine ? next() : null;
        }
        if (mine) {
          endDelivery();
        }
      } while (mine && isDeliverable() && begin(RUNNING));
    } catch (Throwable e) {
      if (mine) {
        deliverTheRest(e);
      }
      throw e;
    }
  }

  /** Another delivery continues, because nobody else would. */
  private void deliverTheRest(Throwable after) {
    try {
      leaveDelivery();
    } catch (RejectedExecutionException e) {
      after.addSuppressed(e);
    }
  }

  /**
   * The delivering thread stops after an event; further events are delivered where the inbox is
   * executed.
   */
  final void leaveDelivery() {
    boolean more = head != null; // which others only look for if it is held
    state = IDLE;
    if (more || isDeliverable()) {
      wake();
    }
  }

  /** The delivering thread has found nothing more that it can deliver. */
  private void endDelivery() {
    if (held != null && isEnd(tail)) {
      onEndHeld();
    }
    state = IDLE;
  }

  private boolean begin(int next) {
    return state == IDLE && STATE.compareAndSet(this, IDLE, next);
  }

  /** Whether an event could be delivered now. Any thread. */
  final boolean isDeliverable() {
    return arrived != null || (held != null && requested > 0 && !isHeadUnpaid());
  }

  private boolean isHeadUnpaid() {
    return held instanceof CallEvent.Message message && message.unpaidBytes() > 0;
  }

  /** Removes and returns the next event that can be delivered now. */
  final @Nullable CallEvent next() {
    takeArrived();
    CallEvent first = head;
    if (first == null
        || (first instanceof CallEvent.Message message && !spendRequestFor(message))) {
      hold(first);
      return null;
    }
    head = first.next;
    if (head == null) {
      tail = null;
    }
    first.next = null;
    return first;
  }

  private void hold(@Nullable CallEvent event) {
    if (held != event) { // mostly nothing is held, and a volatile write costs each batch a fence
      held = event;
    }
  }

  /** Uses up a request; returns false if there is none, or the message is not paid for. */
  private boolean spendRequestFor(CallEvent.Message message) {
    return message.unpaidBytes() == 0 && spendRequest();
  }

  private boolean spendRequest() {
    int before = requested;
    if (before > 0 && before != ALL) {
      REQUESTED.decrementAndGet(this);
    }
    return before > 0;
  }

  /**
   * Moves arrived events behind the held ones, in the order of their arrival; but nothing behind an
   * end, which another thread may have added first. Only an immediate end follows another end.
   * Readiness is moved to the front: a receiver that waits for it may request no message before.
   */
  private void takeArrived() {
    CallEvent next = arrived == null ? null : ARRIVED.getAndSet(this, null);
    CallEvent ready = null;
    CallEvent newest = null;
    CallEvent oldest = null;
    while (next != null) {
      CallEvent event = next;
      next = event.next;
      if (event instanceof CallEvent.Ready) {
        ready = event;
        continue;
      }
      if (newest == null || (event.isEnd() && !isEnd(newest))) {
        newest = event;
        oldest = null;
      }
      event.next = oldest;
      oldest = event;
    }
    if (newest != null && oldest != null) {
      append(oldest, newest);
    }
    if (ready != null && !isEnd(tail)) {
      ready.next = head;
      head = ready;
      tail = tail == null ? ready : tail;
    }
  }

  private void append(CallEvent oldest, CallEvent newest) {
    if (newest instanceof CallEvent.Closed closed && closed.order() == CallEvent.Order.AT_ONCE) {
      head = closed;
    } else if (isEnd(tail)) {
      return;
    } else if (tail == null) {
      head = oldest;
    } else {
      tail.next = oldest;
    }
    tail = newest;
  }

  private static boolean isEnd(@Nullable CallEvent event) {
    return event != null && event.isEnd();
  }
}
