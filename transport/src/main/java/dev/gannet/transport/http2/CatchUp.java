package dev.gannet.transport.http2;

import dev.gannet.transport.pipe.LoopPauses;
import java.time.Duration;

/**
 * What a connection does behind a pause of its loop: it reads what came meanwhile before it acts on
 * times that passed meanwhile. An answer that waits in the socket has come in time, and a peer
 * whose frames wait there is not silent.
 *
 * <p>Everything is read once a turn of the loop has brought nothing more, or after a while, as a
 * peer may send without end. Confined to the connection's loop.
 */
final class CatchUp {
  /** Who sends for so long behind a pause does not hold up deadlines any more. */
  private static final long MAX_NANOS = Duration.ofSeconds(2).toNanos();

  private LoopPauses seen;
  private boolean reading;
  private boolean heard;
  private long endNanos;

  /** Only what comes behind those pauses counts. */
  CatchUp(LoopPauses before) {
    seen = before;
  }

  /** Sees the loop's pauses; returns how long they were since the last look, together. */
  long look(LoopPauses pauses, long nowNanos) {
    long pausedNanos = pauses.totalNanos() - seen.totalNanos();
    seen = pauses;
    reading = true;
    heard = true;
    endNanos = nowNanos + MAX_NANOS;
    return pausedNanos;
  }

  boolean hasSeen(LoopPauses pauses) {
    return pauses.totalNanos() == seen.totalNanos();
  }

  /** Something was read. */
  void onRead() {
    heard = true;
  }

  /**
   * Whether times have to wait for another turn of the loop. To be asked in each turn in which a
   * time has come.
   *
   * @param unread whether something that was read waits to be looked at
   */
  boolean isReading(boolean unread, long nowNanos) {
    reading = reading && (heard || unread) && nowNanos - endNanos < 0;
    heard = false;
    return reading;
  }

  /** Whether a pause has taken a good part, a quarter, of the last so many nanoseconds. */
  boolean wasAwayOf(long nanos, long nowNanos) {
    return seen.lastNanos() >= nanos / 4 && nowNanos - seen.lastEndNanos() < nanos;
  }
}
