package dev.gannet.transport.http2;

/**
 * Up to how many queued bytes a call of a connection is ready for more. The mark is lower while all
 * calls together have much queued, so that many that do not move neither pile up nor keep those
 * from sending that do.
 *
 * <p>Moved by the connection's loop, read by all threads.
 */
final class ReadyMark {
  /** What a call may queue. */
  static final int CALL_BYTES = 64 << 10;

  /** What all calls of a connection may queue before each may queue less. */
  static final int CONNECTION_BYTES = 1 << 20;

  /** What each may queue then: a few small messages, or one large. */
  static final int LOW_CALL_BYTES = 4 << 10;

  private volatile int bytes = CALL_BYTES;

  int bytes() {
    return bytes;
  }

  /** Moves the mark for so much queued in sum; true if calls may be ready now that were not. */
  boolean moveFor(long queuedBytes) {
    boolean low = bytes == LOW_CALL_BYTES;
    if (!low && queuedBytes >= CONNECTION_BYTES) {
      bytes = LOW_CALL_BYTES;
    } else if (low && queuedBytes <= CONNECTION_BYTES / 2) {
      bytes = CALL_BYTES;
      return true;
    }
    return false;
  }
}
