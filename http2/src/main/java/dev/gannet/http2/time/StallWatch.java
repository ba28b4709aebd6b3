package dev.gannet.http2.time;

import dev.gannet.http2.ByteSink;

/**
 * Watches whether bytes that wait for the wire leave at all. Looks now and then, not at each byte:
 * a stall is seen at most a fifth of its length late.
 *
 * <p>A wire on which nothing moves is not a slow reader's: whoever speaks HTTP/2 reads what
 * arrives, and slows senders down by windows.
 */
public final class StallWatch {
  private static final int LOOKS_PER_STALL = 10;

  private final long stallNanos;
  private long lastMark = ByteSink.NOTHING_WAITS;
  private long unmovedSinceNanos;

  public StallWatch(long stallNanos) {
    this.stallNanos = stallNanos;
  }

  /** Whether anything waited at the last look, so that there is to be another. */
  public boolean isWatching() {
    return lastMark != ByteSink.NOTHING_WAITS;
  }

  /** How long after one look the next one is due. */
  public long stepNanos() {
    return Math.max(1, stallNanos / LOOKS_PER_STALL);
  }

  /** Takes a look at where the wire stands. */
  public void look(long wireMark, long nowNanos) {
    if (wireMark != lastMark) {
      lastMark = wireMark;
      unmovedSinceNanos = nowNanos;
    }
  }

  /** Whoever writes was stopped for so long: meanwhile nothing could leave. */
  public void onPause(long pausedNanos) {
    unmovedSinceNanos += pausedNanos;
  }

  /** Whether something has waited for too long without anything leaving. */
  public boolean isStalled(long nowNanos) {
    return isWatching() && nowNanos - unmovedSinceNanos >= stallNanos;
  }
}
