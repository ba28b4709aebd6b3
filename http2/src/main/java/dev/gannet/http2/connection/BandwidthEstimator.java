package dev.gannet.http2.connection;

import java.time.Duration;

/**
 * Estimates how much DATA fits on the path from the peer: what arrives between a PING of this side
 * and its answer. It doubles the window if that is at least half of the window.
 *
 * <pre>
 *             DATA, after a rest                 answer
 *   RESTING ───────────────────► SAMPLING ────────────────► RESTING
 * </pre>
 *
 * <p>A sample begins with DATA that arrives while no sample is running, so after the answer to the
 * previous PING: the peer has sent DATA since it saw that PING. Servers require this of clients
 * that send PINGs (gRFC A8, "too_many_pings"), however often samples are taken. A peer that answers
 * late, never, or wrongly only keeps its present window.
 */
final class BandwidthEstimator {
  private static final long TAG = 0x6264_7000_0000_0000L; // "bdp", so that other PINGs differ
  private static final long COUNTER_MASK = 0xff_ffff_ffffL;

  /**
   * The part of a window that a sample must contain for the window to be the bottleneck: not all of
   * the window is on its way at any time, and some arrives before a sample begins.
   */
  private static final int FULL_SHARE = 2;

  /** The part of a window that must arrive between samples: a slow stream needs no sample. */
  private static final int FLOWING_SHARE = 16;

  /** A window grows only if the previous growth increased the rate by one part in this many. */
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
   * Counts DATA; true if a sample begins with it, so that a PING with {@link #opaque} must be sent.
   *
   * @param held the bytes that readers have not taken
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

  /** The opaque data of this sample's PING, which differs from all others. */
  long opaque() {
    return TAG | counter;
  }

  /** Whether this answer ends the running sample. */
  boolean isAnswer(long opaque) {
    return sampling && opaque == opaque();
  }

  /**
   * Ends the sample; true if it made the window grow. Bytes that readers have not taken do not
   * count: a slow reader gets no larger window.
   *
   * @param held the bytes that readers have not taken
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
      restNanos = 2 * elapsedNanos; // until what the larger window allows arrives
    } else {
      restNanos = MIN_REST_NANOS << inVain;
      inVain = Math.min(MAX_DOUBLINGS, inVain + 1);
    }
    sampling = false;
    bytes = 0;
    return grows;
  }

  /** The window that is large enough for the path. */
  int windowBytes() {
    return windowBytes;
  }
}
