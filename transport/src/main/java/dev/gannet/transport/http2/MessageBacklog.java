package dev.gannet.transport.http2;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The messages of one call that its reader has not taken yet, in bytes as they arrived, and what
 * the loop wants to hear of its reader.
 *
 * <p>The loop says what it wants and looks once more; the reader changes something and then looks
 * what is wanted: one of the two sees the other.
 */
final class MessageBacklog {
  private static final AtomicLongFieldUpdater<MessageBacklog> WAITING =
      AtomicLongFieldUpdater.newUpdater(MessageBacklog.class, "waiting");

  /** Messages are counted above the bytes, so that both change as one. */
  private static final int MESSAGES_SHIFT = 36;

  private static final long ONE_MESSAGE = 1L << MESSAGES_SHIFT;

  private volatile long waiting;

  /** The backlog below which the loop wants to hear of it; 0 if it does not. */
  private volatile int wantedBytes;

  private volatile boolean requestWanted;

  /** A message waits. On the loop. */
  void add(int bytes) {
    WAITING.getAndAdd(this, ONE_MESSAGE + bytes);
  }

  /** A message was taken; true if the loop is to hear of it. The reader's. */
  boolean remove(int bytes) {
    long left = bytesOf(WAITING.addAndGet(this, -ONE_MESSAGE - bytes));
    int wanted = wantedBytes;
    return wanted != 0 && left < wanted;
  }

  /** How many bytes wait. */
  int bytes() {
    return bytesOf(waiting);
  }

  /** How many messages wait. */
  int messages() {
    return (int) (waiting >> MESSAGES_SHIFT);
  }

  private static int bytesOf(long waiting) {
    return (int) (waiting & (ONE_MESSAGE - 1));
  }

  /** Whether less waits than that; if not, the reader tells when it does. On the loop. */
  boolean isBelow(int most) {
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
   * Has the reader tell when less than that waits, besides what it was to tell before. To be called
   * ahead of a look at what waits.
   */
  void wantBelow(int most) {
    if (bytes() >= most) {
      wantedBytes = Math.max(wantedBytes, most);
    }
  }

  /** Whether the loop wants to hear that messages were asked for. The reader's. */
  boolean isRequestWanted() {
    return requestWanted;
  }

  /** On the loop. */
  void wantRequest(boolean wanted) {
    if (requestWanted != wanted) {
      requestWanted = wanted;
    }
  }
}
