package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import java.time.Duration;

/**
 * What a pause of this side excuses: while the process was stopped, everything that its peer sent
 * accumulated and is then read at once.
 *
 * <p>It is unknown when a frame of such a backlog arrived: it may have been at any time in the
 * pause. So it is judged by the time that is best for the peer. A peer may do that much without a
 * pause, too: it gains the offences that the duration of the pause allows, once, and nothing more.
 * Unused credit lasts as long as the pause did, but at least a second.
 */
final class PauseCredit {
  /** At most this much of a pause counts: after that, peers have closed the connection. */
  private static final long MAX_NANOS = Duration.ofMinutes(5).toNanos();

  private static final long MIN_WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * More concurrent streams than these earn no more credit, as for {@link AbuseKind#RESET_STREAM}.
   */
  private static final int MAX_STREAMS = 4096;

  private final int streams;
  private long pauseNanos;
  private long endNanos;
  private long lifeNanos;

  /**
   * No pause yet.
   *
   * @param maxConcurrentStreams how many streams the peer may have open at once
   */
  PauseCredit(int maxConcurrentStreams) {
    streams = Math.min(maxConcurrentStreams, MAX_STREAMS);
  }

  /** A pause has just ended, and what arrived in it is about to be read. */
  void onPause(long nanos, long nowNanos) {
    pauseNanos = Math.min(MAX_NANOS, Math.max(nanos, slackNanos(nowNanos)));
    endNanos = nowNanos + Math.max(MIN_WINDOW_NANOS, pauseNanos);
    lifeNanos = streams * pauseNanos;
  }

  /**
   * How much earlier the bytes that are read now may have arrived; 0 if no pause has just ended.
   */
  long slackNanos(long nowNanos) {
    if (pauseNanos > 0 && nowNanos - endNanos >= 0) {
      pauseNanos = 0;
    }
    return pauseNanos;
  }

  /**
   * Whether a stream that was read and reset after the pause may have lived that long during it. A
   * peer may have had as many streams at a time as its limit allows, one after the other for the
   * duration of the pause.
   */
  boolean spendLife(long nanos, long nowNanos) {
    if (nanos > slackNanos(nowNanos) || nanos > lifeNanos) {
      return false;
    }
    lifeNanos -= nanos;
    return true;
  }
}
