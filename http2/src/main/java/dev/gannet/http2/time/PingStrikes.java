package dev.gannet.http2.time;

import dev.gannet.http2.PingLimits;

/** Counts PINGs that a peer sends too early (gRFC A8). */
public final class PingStrikes {
  private final PingLimits limits;
  private boolean anyTime = true;
  private long lastGoodNanos;
  private int strikes;

  /** The first PING may come at any time. */
  public PingStrikes(PingLimits limits) {
    this.limits = limits;
  }

  /** HEADERS or DATA went to the peer: strikes are forgotten, and its next PING is welcome. */
  public void onSent() {
    anyTime = true;
    strikes = 0;
  }

  /**
   * A PING arrived; false if that was one strike too many.
   *
   * @param hasStreams whether any stream is open
   */
  public boolean isTolerable(boolean hasStreams, long nowNanos) {
    long intervalNanos = hasStreams ? limits.intervalNanos() : limits.idleIntervalNanos();
    if (anyTime || nowNanos - lastGoodNanos >= intervalNanos) {
      anyTime = false;
      lastGoodNanos = nowNanos;
      return true;
    }
    return ++strikes <= limits.maxStrikes();
  }
}
