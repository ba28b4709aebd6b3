package dev.gannet.http2;

/**
 * How much DATA may be under way to us or wait for its reader (RFC 9113 §5.2).
 *
 * @param streamBytes what a stream's window is at first
 * @param connectionBytes what the connection's window is at first
 * @param largestBytes what either may grow to where the way is long and broad; no growth if it is
 *     the smaller
 * @param heldBytes how much of what arrived may wait for readers, as long as the connection's
 *     window is what it is at first, and as many times more as that is larger; with what may be
 *     under way beyond it, a connection holds at most this and its window
 */
public record WindowLimits(int streamBytes, int connectionBytes, int largestBytes, int heldBytes) {
  /** Nothing shrinks. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  public static final WindowLimits DEFAULT = new WindowLimits(1 << 20, 1 << 20, 8 << 20, 4 << 20);

  /**
   * Checks each bound.
   *
   * @throws IllegalArgumentException if a bound lies outside its range
   */
  public WindowLimits {
    Range.check("streamBytes", streamBytes, 1, Integer.MAX_VALUE);
    Range.check("connectionBytes", connectionBytes, Limits.FIRST_WINDOW_BYTES, Integer.MAX_VALUE);
    Range.check("largestBytes", largestBytes, 0, Integer.MAX_VALUE);
    Range.check("heldBytes", heldBytes, 1, Integer.MAX_VALUE);
  }

  /** These limits with other windows at first. */
  public WindowLimits withFirst(int streamBytes, int connectionBytes) {
    return new WindowLimits(streamBytes, connectionBytes, largestBytes, heldBytes);
  }

  /** These limits with another end of growth. */
  public WindowLimits withLargestBytes(int bytes) {
    return new WindowLimits(streamBytes, connectionBytes, bytes, heldBytes);
  }

  /** These limits with another sum of what may wait for readers. */
  public WindowLimits withHeldBytes(int bytes) {
    return new WindowLimits(streamBytes, connectionBytes, largestBytes, bytes);
  }

  /** Windows that do not grow, of a connection that holds four times its own. */
  public static WindowLimits ofSize(int streamBytes, int connectionBytes) {
    int heldBytes = (int) Math.min(UNBOUNDED, 4L * connectionBytes);
    return new WindowLimits(streamBytes, connectionBytes, 0, heldBytes);
  }

  /** Windows that stay as they are, whatever is held. */
  public static WindowLimits fixed(int streamBytes, int connectionBytes) {
    return new WindowLimits(streamBytes, connectionBytes, 0, UNBOUNDED);
  }
}
