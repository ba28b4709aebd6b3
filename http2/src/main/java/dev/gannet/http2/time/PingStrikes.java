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

  /** HEADERS or DATA were sent to the peer: strikes are forgotten, and its next PING is allowed. */
  public void onSent() {
    anyTime = true;
    strikes = 0;
  }

  /**
   * A PING arrived; false if that was one strike too many.
   *
   * @param hasStreams whether any stream is open
   * @param slackNanos how long before it is read the PING may have arrived; it is judged by the
   *     earliest time at which it was not too early
   */
  public boolean onPing(boolean hasStreams, long nowNanos, long slackNanos) {
    long intervalNanos = hasStreams ? limits.intervalNanos() : limits.idleIntervalNanos();
    long sinceNanos = nowNanos - lastGoodNanos;
    if (anyTime || sinceNanos >= intervalNanos) {
      long earlierNanos = anyTime ? slackNanos : Math.min(slackNanos, sinceNanos - intervalNanos);
      anyTime = false;
      lastGoodNanos = nowNanos - earlierNanos;
      return true;
    }
    return ++strikes <= limits.maxStrikes();
  }
}
