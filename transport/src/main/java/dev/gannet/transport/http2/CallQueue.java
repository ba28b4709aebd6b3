package dev.gannet.transport.http2;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * How many bytes one call has queued to be sent, and whether it may queue more.
 *
 * <p>It may below {@value #MAX_BYTES} bytes, while its connection has {@link SendQuota}. Without
 * room it may where almost nothing of it is queued and that could leave: so calls whose peers do
 * not read never stop those whose peers do. Nor do calls that still wait for a stream: they take
 * room from each other alone.
 *
 * <p>Who was told no is told when it is yes. The sender says that it waits and looks once more; the
 * loop changes something and then looks who waits: one of the two sees the other.
 */
final class CallQueue {
  static final int MAX_BYTES = 64 << 10;

  /**
   * What its stream's window must let through for a call to move: half of what streams begin with,
   * and no more than this. Peers that are crowded give 1 KiB to each, in halves.
   */
  static final int MIN_WINDOW_BYTES = 512;

  /** A window below this lets nothing through, whatever streams begin with. */
  private static final int SMALLEST_BYTES = 128;

  private static final AtomicLongFieldUpdater<CallQueue> BYTES =
      AtomicLongFieldUpdater.newUpdater(CallQueue.class, "bytes");

  /** Of a call that is over: what is added is dropped. */
  private static final long CLOSED = Long.MIN_VALUE / 2;

  /** On top of the bytes of a call that waits for a stream: so both change as one. */
  private static final long WITHOUT_STREAM = Long.MAX_VALUE / 2;

  private final SendQuota quota;
  private volatile long bytes;
  private volatile boolean waiting;
  private volatile boolean stalled;

  CallQueue(SendQuota quota) {
    this.quota = quota;
  }

  /** Whether more may be queued; if not, the loop will tell when it may. Any thread. */
  boolean isReady() {
    if (mayAdd()) {
      return true;
    }
    await();
    return mayAdd();
  }

  /** Bytes are queued, whether they may or not. Any thread. */
  void add(int added) {
    change(added);
    if (!mayAdd()) {
      await();
    }
  }

  /** No stream is free for the call: it takes no room from those that have one. On the loop. */
  void awaitStream() {
    long before = BYTES.getAndAdd(this, WITHOUT_STREAM);
    quota.change(before, 0);
    quota.changeWaiting(before);
  }

  /** The call that waited for a stream has one. On the loop. */
  void onStream() {
    long now = BYTES.addAndGet(this, -WITHOUT_STREAM);
    quota.changeWaiting(-now);
    quota.change(0, now);
  }

  /** Bytes have left; true if the call waited for that. On the loop. */
  boolean remove(int sent) {
    change(-sent);
    return waiting && isReadyAgain();
  }

  /**
   * Says what the window of this call's stream lets through, and with what the peer has streams
   * begin. On the loop.
   *
   * @return what is counted of this call if it stands still by that, 0 if not
   */
  long look(int windowBytes, int initialWindowBytes) {
    int leastBytes = Math.clamp(initialWindowBytes / 2, SMALLEST_BYTES, MIN_WINDOW_BYTES);
    boolean stands = windowBytes < leastBytes;
    if (stalled != stands) {
      stalled = stands;
    }
    return stands ? Math.max(0, bytes - SendQuota.FREE_BYTES) : 0;
  }

  /** Whether as much is queued as may be, so that who asks before would not send now. */
  boolean isFull() {
    return bytes >= MAX_BYTES;
  }

  /** Something has changed for calls that wait; true if this one waited for that. On the loop. */
  boolean reconsider() {
    return waiting && isReadyAgain();
  }

  /** The call is over, and nothing of it is queued any more. On the loop. */
  void close() {
    long before = BYTES.getAndSet(this, CLOSED);
    if (before >= WITHOUT_STREAM) {
      quota.changeWaiting(WITHOUT_STREAM - before);
    } else if (before > 0) {
      quota.change(before, 0);
    }
  }

  private void change(int by) {
    long before = BYTES.getAndAdd(this, by);
    if (before >= WITHOUT_STREAM) {
      quota.changeWaiting(by);
    } else if (before >= 0) {
      quota.change(before, before + by);
    }
  }

  private boolean mayAdd() {
    long now = bytes;
    if (now <= CLOSED / 2) {
      return false; // or whoever sends while it may would never come to hear of the end
    }
    if (now >= WITHOUT_STREAM) {
      return now < WITHOUT_STREAM + MAX_BYTES && quota.isAvailableForWaiting();
    }
    if (now < MAX_BYTES && quota.isAvailable()) {
      return true;
    }
    return now < SendQuota.FREE_BYTES && !stalled && quota.isAvailableForMoving();
  }

  private void await() {
    waiting = true;
    quota.ask();
  }

  private boolean isReadyAgain() {
    if (mayAdd()) {
      waiting = false;
      return true;
    }
    if (bytes < MAX_BYTES) {
      quota.ask();
    }
    return false;
  }
}
