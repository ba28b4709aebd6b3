package dev.gannet.transport.pipe;

import java.time.Duration;

/**
 * The pauses of an event loop: the times in which it did nothing although it should have, as its
 * process was stopped, its machine moved, or a long task held it. A loop that has nothing to do
 * does not pause. Immutable: each pause makes a new object, so whoever has seen one sees at a
 * glance whether there was another.
 *
 * @param totalNanos how long all of them were together
 * @param lastNanos how long the last one was
 * @param lastEndNanos when it ended, by the loop's clock
 */
public record LoopPauses(long totalNanos, long lastNanos, long lastEndNanos) {
  /** There was none. */
  public static final LoopPauses NONE = new LoopPauses(0, 0, 0);

  /** What arrived in a short pause may still be unread for so long behind it. */
  private static final long MIN_BACKLOG_NANOS = Duration.ofSeconds(1).toNanos();

  /** These pauses and one more, which has just ended. */
  public LoopPauses plus(long pausedNanos, long nowNanos) {
    return new LoopPauses(totalNanos + pausedNanos, pausedNanos, nowNanos);
  }

  /**
   * For how long what a connection reads next may have waited to be read; 0 where the last pause is
   * long over, so that what came meanwhile has been read by now.
   */
  public long backlogNanos(long nowNanos) {
    long readByNanos = Math.max(lastNanos, MIN_BACKLOG_NANOS);
    return lastNanos > 0 && nowNanos - lastEndNanos < readByNanos ? lastNanos : 0;
  }
}
