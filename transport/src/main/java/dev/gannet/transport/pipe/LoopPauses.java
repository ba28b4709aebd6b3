package dev.gannet.transport.pipe;

import java.time.Duration;

/**
 * The pauses of an event loop: the times in which it did not run although it had work, because its
 * process was stopped, its machine was moved, or a long task occupied it. A loop that has nothing
 * to do does not pause. Immutable: each pause creates a new object, so comparing references shows
 * whether there was another pause.
 *
 * @param totalNanos the duration of all pauses together
 * @param lastNanos the duration of the last pause
 * @param lastEndNanos when the last pause ended, by the loop's clock
 */
public record LoopPauses(long totalNanos, long lastNanos, long lastEndNanos) {
  /** No pause yet. */
  public static final LoopPauses NONE = new LoopPauses(0, 0, 0);

  /** What arrived in a short pause may still be unread for this long after it. */
  private static final long MIN_BACKLOG_NANOS = Duration.ofSeconds(1).toNanos();

  /** These pauses and one more, which has just ended. */
  public LoopPauses plus(long pausedNanos, long nowNanos) {
    return new LoopPauses(totalNanos + pausedNanos, pausedNanos, nowNanos);
  }

  /**
   * How long the bytes that a connection reads next may have waited; 0 if the last pause ended so
   * long ago that what arrived in it has been read.
   */
  public long backlogNanos(long nowNanos) {
    long readByNanos = Math.max(lastNanos, MIN_BACKLOG_NANOS);
    return lastNanos > 0 && nowNanos - lastEndNanos < readByNanos ? lastNanos : 0;
  }
}
