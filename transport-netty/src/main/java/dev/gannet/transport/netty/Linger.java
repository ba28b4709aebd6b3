package dev.gannet.transport.netty;

import dev.gannet.http2.ByteSink;

/**
 * How long a closing pipe waits for its peer to take what was written, as long as something leaves
 * now and then, within bounds, and then to close his side: what has left may be in the system's
 * buffers for a while. Looks at the wire once a second.
 */
final class Linger {
  /** From one look to the next. */
  static final long LOOK_SECONDS = 1;

  /** So many looks in which nothing left: the peer reads no more. */
  private static final int MAX_STILL_LOOKS = 10;

  /** A peer that takes a byte now and then shall not hold the pipe for ever. */
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
   * From now on, as long as the peer reads.
   *
   * @param mark as {@link ByteSink#wireMark} says
   */
  static Linger whileRead(long mark) {
    return new Linger(mark, MAX_LOOKS);
  }

  /** From now on, until the first look. */
  static Linger briefly(long mark) {
    return new Linger(mark, 1);
  }

  /** How long the peer has to close his side, once nothing waits here any more. */
  long endSeconds() {
    return Math.min(mostLooks, MAX_STILL_LOOKS) * LOOK_SECONDS;
  }

  /** Looks at the wire's mark again; whether the pipe has waited enough. */
  boolean isOver(long newMark) {
    stillLooks = newMark == mark ? stillLooks + 1 : 0;
    mark = newMark;
    looks++;
    return stillLooks == MAX_STILL_LOOKS || looks == mostLooks;
  }
}
