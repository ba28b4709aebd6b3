package dev.gannet.transport.http2;

import dev.gannet.transport.pipe.LoopPauses;
import java.time.Duration;

/**
 * What a connection does after a pause of its loop: it reads what arrived in the pause before it
 * handles timeouts that passed in it. An answer that waits in the socket arrived in time, and a
 * peer whose frames wait there is not silent.
 *
 * <p>Everything counts as read once a turn of the loop has brought nothing more, or after a fixed
 * time, because a peer may send without end. Confined to the connection's loop.
 */
final class CatchUp {
  /** After a pause, a peer that keeps sending delays deadlines for this long at most. */
  private static final long MAX_NANOS = Duration.ofSeconds(2).toNanos();

  private LoopPauses seen;
  private boolean reading;
  private boolean heard;
  private long endNanos;

  /** Only pauses after those count. */
  CatchUp(LoopPauses before) {
    seen = before;
  }

  /** Records the loop's pauses; returns the duration of those since the last call. */
  long recordPauses(LoopPauses pauses, long nowNanos) {
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
   * Ends the catching up when nothing more has arrived; returns whether timeouts must wait for
   * another turn of the loop. Must be called in each turn in which a timeout has passed.
   *
   * @param unread whether bytes that were read wait to be parsed
   */
  boolean updateReading(boolean unread, long nowNanos) {
    reading = reading && (heard || unread) && nowNanos - endNanos < 0;
    heard = false;
    return reading;
  }

  /** Whether the last pause was a quarter of this time or longer, and ended within this time. */
  boolean wasAwayOf(long nanos, long nowNanos) {
    return seen.lastNanos() >= nanos / 4 && nowNanos - seen.lastEndNanos() < nanos;
  }
}
