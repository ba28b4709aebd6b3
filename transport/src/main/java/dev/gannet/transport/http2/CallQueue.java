package dev.gannet.transport.http2;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The number of bytes that one call has queued for sending, and whether it may queue more.
 *
 * <p>It may queue more while it has less than {@value #MAX_BYTES} bytes queued and its connection
 * has {@link SendQuota}. Without quota it may do so only if it has almost nothing queued and these
 * bytes could be sent. So calls whose peers do not read never block other calls. Calls that still
 * wait for a stream do not block others either: they only take quota from each other.
 *
 * <p>A sender that has to wait is woken when it may send (write-then-check, docs/threading.md): the
 * sender stores that it waits and checks again; the loop changes the state and then checks for
 * waiting senders. So one of the two always sees the other.
 */
final class CallQueue {
  static final int MAX_BYTES = 64 << 10;

  /**
   * The window that a stream must have for its call to progress: half of the initial window, but at
   * most this. Peers with little memory give each stream 1 KiB, in halves.
   */
  static final int MIN_WINDOW_BYTES = 512;

  /** A window smaller than this counts as closed, whatever the initial window is. */
  private static final int SMALLEST_BYTES = 128;

  private static final AtomicLongFieldUpdater<CallQueue> BYTES =
      AtomicLongFieldUpdater.newUpdater(CallQueue.class, "bytes");

  /** The value of an ended call: what is added is dropped. */
  private static final long CLOSED = Long.MIN_VALUE / 2;

  /**
   * This value is added to the byte count while the call waits for a stream, so that one atomic
   * update changes both.
   */
  private static final long WITHOUT_STREAM = Long.MAX_VALUE / 2;

  private final SendQuota quota;
  private volatile long bytes;
  private volatile boolean waiting;
  private volatile boolean stalled;

  CallQueue(SendQuota quota) {
    this.quota = quota;
  }

  /** Whether more may be queued; if not, the loop will signal when it may. Any thread. */
  boolean isReady() {
    if (mayAdd()) {
      return true;
    }
    await();
    return mayAdd();
  }

  /** Bytes are queued, whether allowed or not. Any thread. */
  void add(int added) {
    change(added);
    if (!mayAdd()) {
      await();
    }
  }

  /** No stream is free for the call: it takes no quota from calls that have one. On the loop. */
  void awaitStream() {
    long before = BYTES.getAndAdd(this, WITHOUT_STREAM);
    quota.change(before, 0);
    quota.changeWaiting(before);
  }

  /** The call that waited for a stream has got one. On the loop. */
  void onStream() {
    long now = BYTES.addAndGet(this, -WITHOUT_STREAM);
    quota.changeWaiting(-now);
    quota.change(0, now);
  }

  /** Bytes were sent; true if the call waited for that. On the loop. */
  boolean remove(int sent) {
    change(-sent);
    return waiting && tryStopWaiting();
  }

  /**
   * Bytes were sent of a call that queues nothing more. What takes no quota stays counted until
   * {@link #close}: most calls send little, and are closed next. On the loop.
   */
  void removeOfLast(int sent) {
    if (bytes > SendQuota.FREE_BYTES) {
      change(-sent);
    }
  }

  /**
   * Updates the window of this call's stream and the initial window of the peer. On the loop.
   *
   * @return the bytes of this call that the window blocks; 0 if it is not blocked
   */
  long updateWindow(int windowBytes, int initialWindowBytes) {
    int leastBytes = Math.clamp(initialWindowBytes / 2, SMALLEST_BYTES, MIN_WINDOW_BYTES);
    boolean stands = windowBytes < leastBytes;
    if (stalled != stands) {
      stalled = stands;
    }
    return stands ? Math.max(0, bytes - SendQuota.FREE_BYTES) : 0;
  }

  /** Whether as much is queued as allowed, so that a sender that asks first would not send now. */
  boolean isFull() {
    return bytes >= MAX_BYTES;
  }

  /** Something has changed for waiting calls; true if this one waited for that. On the loop. */
  boolean reconsider() {
    return waiting && tryStopWaiting();
  }

  /** The call has ended, and nothing of it is queued any more. On the loop. */
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
      return false; // otherwise a sender that never has to wait would not learn of the end
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

  /** Stops waiting if more may be queued; returns false if the call must still wait. */
  private boolean tryStopWaiting() {
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
