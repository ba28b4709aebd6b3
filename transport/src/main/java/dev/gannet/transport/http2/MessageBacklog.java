package dev.gannet.transport.http2;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The messages of one call that its reader has not taken yet, in bytes as they arrived. It also
 * stores for which changes by the reader the loop waits.
 *
 * <p>The loop stores what it waits for and checks again; the reader changes the backlog and then
 * checks what the loop waits for (write-then-check, docs/threading.md): so one of the two always
 * sees the other.
 */
final class MessageBacklog {
  private static final AtomicLongFieldUpdater<MessageBacklog> WAITING =
      AtomicLongFieldUpdater.newUpdater(MessageBacklog.class, "waiting");

  /** The number of messages is stored above the bytes, so that both change atomically. */
  private static final int MESSAGES_SHIFT = 36;

  private static final long ONE_MESSAGE = 1L << MESSAGES_SHIFT;

  private volatile long waiting;

  /** The loop waits until the backlog is below this; 0 if it does not wait. */
  private volatile int wantedBytes;

  private volatile boolean requestWanted;

  /** A message waits. On the loop. */
  void add(int bytes) {
    if (waiting == 0) { // the reader has nothing to remove, so nobody else writes
      WAITING.lazySet(this, ONE_MESSAGE + bytes);
    } else {
      WAITING.getAndAdd(this, ONE_MESSAGE + bytes);
    }
  }

  /** A message was taken; returns true if the loop must be notified. On the reader's thread. */
  boolean remove(int bytes) {
    long left = bytesOf(WAITING.addAndGet(this, -ONE_MESSAGE - bytes));
    int wanted = wantedBytes;
    return wanted != 0 && left < wanted;
  }

  /** The number of bytes that wait. */
  int bytes() {
    return bytesOf(waiting);
  }

  /** The number of messages that wait. */
  int messages() {
    return (int) (waiting >> MESSAGES_SHIFT);
  }

  private static int bytesOf(long waiting) {
    return (int) (waiting & (ONE_MESSAGE - 1));
  }

  /**
   * Returns whether less than that waits. If not, the reader signals when it does; otherwise it
   * need not signal any more. On the loop.
   */
  boolean checkBelow(int most) {
    if (bytes() >= most) {
      wantedBytes = Math.max(wantedBytes, most);
      if (bytes() >= most) {
        return false;
      }
    }
    if (wantedBytes != 0) {
      wantedBytes = 0;
    }
    return true;
  }

  /**
   * Has the reader signal when less than that waits, in addition to earlier requests. Must be
   * called before reading what waits.
   */
  void wantBelow(int most) {
    if (bytes() >= most) {
      wantedBytes = Math.max(wantedBytes, most);
    }
  }

  /** Whether the loop must be notified when messages are requested. On the reader's thread. */
  boolean isRequestWanted() {
    return requestWanted;
  }

  /** Sets that. On the loop. */
  void wantRequest(boolean wanted) {
    if (requestWanted != wanted) {
      requestWanted = wanted;
    }
  }
}
