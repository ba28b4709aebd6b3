package dev.gannet.http2.connection;

import java.time.Duration;

/**
 * Finds out how much DATA fits on the way from the peer: what arrives while a PING of ours goes
 * there and its answer comes back. Doubles the window where that is about half of it.
 *
 * <pre>
 *             DATA, after a rest                 answer
 *   RESTING ───────────────────► SAMPLING ────────────────► RESTING
 * </pre>
 *
 * <p>A sample begins with DATA that arrives while none is under way, so behind the answer to the
 * PING before: the peer has sent DATA since it saw our last PING. That is what servers ask of
 * clients who ping (gRFC A8, "too_many_pings"), however often samples are taken. A peer that
 * answers late, never, or what was not asked, ends up with the window it has.
 */
final class BandwidthEstimator {
  private static final long TAG = 0x6264_7000_0000_0000L; // "bdp", so that others' PINGs differ
  private static final long COUNTER_MASK = 0xff_ffff_ffffL;

  /**
   * What a sample must hold of a window for the window to be in the way: not all of it is under way
   * at any time, and some arrives before a sample begins.
   */
  private static final int FULL_SHARE = 2;

  /** Of a window that has to arrive between samples: where little flows, none is needed. */
  private static final int FLOWING_SHARE = 16;

  /** A window grows only if the one before made the flow faster by one part in so many. */
  private static final int NOTABLE_SHARE = 8;

  private static final long MIN_REST_NANOS = Duration.ofMillis(100).toNanos();
  private static final int MAX_DOUBLINGS = 7;

  private final int largestBytes;
  private int windowBytes;
  private boolean sampling;
  private long counter;
  private long bytes;
  private long heldAtFirst;
  private long beganNanos;
  private long restNanos;
  private int inVain;
  private double rateAtGrowth;

  BandwidthEstimator(int windowBytes, int largestBytes, long nowNanos) {
    this.windowBytes = windowBytes;
    this.largestBytes = largestBytes;
    this.beganNanos = nowNanos;
  }

  /**
   * Counts DATA; true if a sample begins with it: {@link #opaque} is to be pinged.
   *
   * @param held what readers hold
   */
  boolean onData(int arrived, long held, long nowNanos) {
    bytes += arrived;
    if (sampling
        || bytes < windowBytes / FLOWING_SHARE
        || windowBytes >= largestBytes
        || nowNanos - beganNanos < restNanos) {
      return false;
    }
    sampling = true;
    bytes = arrived;
    heldAtFirst = held;
    counter = counter + 1 & COUNTER_MASK;
    beganNanos = nowNanos;
    return true;
  }

  /** What tells the PING of this sample from all others. */
  long opaque() {
    return TAG | counter;
  }

  /** Whether this answer ends the sample that is under way. */
  boolean isAnswer(long opaque) {
    return sampling && opaque == opaque();
  }

  /**
   * Ends the sample; true if the window has grown by it. What readers have not taken does not
   * count: nobody gets a larger window by what is left lying.
   *
   * @param held what readers hold
   */
  boolean onAnswer(long held, long nowNanos) {
    long taken = bytes - Math.max(0, held - heldAtFirst);
    long elapsedNanos = Math.max(1, nowNanos - beganNanos);
    double rate = (double) taken / elapsedNanos;
    boolean full = taken >= windowBytes / FULL_SHARE;
    boolean grows = full && rate > rateAtGrowth * (NOTABLE_SHARE + 1) / NOTABLE_SHARE;
    if (grows) {
      rateAtGrowth = rate;
      windowBytes = (int) Math.min(largestBytes, 2 * Math.max(windowBytes, taken));
      inVain = 0;
      restNanos = 2 * elapsedNanos; // until what the larger window lets through arrives
    } else {
      restNanos = MIN_REST_NANOS << inVain;
      inVain = Math.min(MAX_DOUBLINGS, inVain + 1);
    }
    sampling = false;
    bytes = 0;
    return grows;
  }

  /** The window that lets the way be full. */
  int windowBytes() {
    return windowBytes;
  }
}
