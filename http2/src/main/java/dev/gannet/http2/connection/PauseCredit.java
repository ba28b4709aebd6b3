package dev.gannet.http2.connection;

import dev.gannet.http2.Offence;
import java.time.Duration;

/**
 * What a pause of this side excuses: while the program was stopped, whatever its peer sent piled up
 * and is then read in one go.
 *
 * <p>Nobody can tell when a frame of such a backlog arrived: at any time of the pause. So it is
 * judged as if it had arrived when that suits the peer best. That is what every peer may do without
 * a pause, too: it gains the offences of the pause's own time, once, and nothing more. Credit that
 * is not used lasts as long as the pause did, a second at least.
 */
final class PauseCredit {
  /** Of a longer pause so much counts: peers have given the connection up by then. */
  private static final long MAX_NANOS = Duration.ofMinutes(5).toNanos();

  private static final long MIN_WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

  /** More streams than these at once earn no more: as with {@link Offence#RESET_STREAM}. */
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

  /** A pause has just ended, and what came meanwhile is about to be read. */
  void onPause(long nanos, long nowNanos) {
    pauseNanos = Math.min(MAX_NANOS, Math.max(nanos, slackNanos(nowNanos)));
    endNanos = nowNanos + Math.max(MIN_WINDOW_NANOS, pauseNanos);
    lifeNanos = streams * pauseNanos;
  }

  /** What is read now may have arrived so much earlier; 0 where no pause has just ended. */
  long slackNanos(long nowNanos) {
    if (pauseNanos > 0 && nowNanos - endNanos >= 0) {
      pauseNanos = 0;
    }
    return pauseNanos;
  }

  /**
   * Whether a stream that was read and reset after the pause may have lived so long during it. A
   * peer has so many streams at once, each for as long as the pause, and one after the other.
   */
  boolean spendLife(long nanos, long nowNanos) {
    if (nanos > slackNanos(nowNanos) || nanos > lifeNanos) {
      return false;
    }
    lifeNanos -= nanos;
    return true;
  }
}
