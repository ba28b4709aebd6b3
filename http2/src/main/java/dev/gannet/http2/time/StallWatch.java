package dev.gannet.http2.time;

import dev.gannet.http2.ByteSink;

/**
 * Watches whether waiting bytes are sent at all. It checks periodically, not at each byte: a stall
 * is detected late by at most a fifth of its length.
 *
 * <p>A connection on which nothing moves is not that of a slow reader: an HTTP/2 peer reads what
 * arrives, and slows senders down with windows.
 */
public final class StallWatch {
  private static final int LOOKS_PER_STALL = 10;

  private final long stallNanos;
  private long lastMark = ByteSink.NOTHING_WAITS;
  private long unmovedSinceNanos;

  public StallWatch(long stallNanos) {
    this.stallNanos = stallNanos;
  }

  /** Whether anything waited at the last check, so that another check is needed. */
  public boolean isWatching() {
    return lastMark != ByteSink.NOTHING_WAITS;
  }

  /** The time between two checks. */
  public long stepNanos() {
    return Math.max(1, stallNanos / LOOKS_PER_STALL);
  }

  /** Checks the progress of sending. */
  public void look(long wireMark, long nowNanos) {
    if (wireMark != lastMark) {
      lastMark = wireMark;
      unmovedSinceNanos = nowNanos;
    }
  }

  /** The writing side was paused for that long: nothing could be sent meanwhile. */
  public void onPause(long pausedNanos) {
    unmovedSinceNanos += pausedNanos;
  }

  /** Whether something has waited for too long while nothing was sent. */
  public boolean isStalled(long nowNanos) {
    return isWatching() && nowNanos - unmovedSinceNanos >= stallNanos;
  }
}
