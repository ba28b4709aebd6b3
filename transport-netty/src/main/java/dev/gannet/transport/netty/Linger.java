package dev.gannet.transport.netty;

import dev.gannet.http2.ByteSink;

/**
 * How long a closing pipe waits for its peer to read what was written, as long as some bytes are
 * sent now and then, within limits, and then for the peer to close its side: what was sent may be
 * in the operating system's buffers for a while. It checks the progress once a second.
 */
final class Linger {
  /** The time between two checks. */
  static final long LOOK_SECONDS = 1;

  /** After this many checks without progress, the peer does not read any more. */
  private static final int MAX_STILL_LOOKS = 10;

  /** A peer that reads a byte now and then must not hold the pipe for ever. */
  private static final int MAX_LOOKS = 60;

  private final int mostLooks;
  private long mark;
  private int looks;
  private int stillLooks;

  private Linger(long mark, int mostLooks) {
    this.mark = mark;
    this.mostLooks = mostLooks;
  }

  /**
   * Begins now, and lasts as long as the peer reads.
   *
   * @param mark the present {@link ByteSink#wireMark}
   */
  static Linger whileRead(long mark) {
    return new Linger(mark, MAX_LOOKS);
  }

  /** Begins now, and lasts until the first check. */
  static Linger briefly(long mark) {
    return new Linger(mark, 1);
  }

  /** How long the peer has to close its side, once nothing waits here any more. */
  long endSeconds() {
    return Math.min(mostLooks, MAX_STILL_LOOKS) * LOOK_SECONDS;
  }

  /** Checks the progress; returns whether the pipe has waited long enough. */
  boolean checkOver(long newMark) {
    stillLooks = newMark == mark ? stillLooks + 1 : 0;
    mark = newMark;
    looks++;
    return stillLooks == MAX_STILL_LOOKS || looks == mostLooks;
  }
}
