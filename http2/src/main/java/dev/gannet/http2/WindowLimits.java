package dev.gannet.http2;

/**
 * How much DATA may be under way to us or wait for its reader (RFC 9113 §5.2).
 *
 * @param streamBytes what a stream's window is at first
 * @param connectionBytes what the connection's window is at first
 * @param largestBytes what either may grow to where the way is long and broad; no growth if it is
 *     the smaller
 */
public record WindowLimits(int streamBytes, int connectionBytes, int largestBytes) {
  public static final WindowLimits DEFAULT = new WindowLimits(1 << 20, 4 << 20, 8 << 20);

  /**
   * Checks each bound.
   *
   * @throws IllegalArgumentException if a bound lies outside its range
   */
  public WindowLimits {
    Limits.check("streamBytes", streamBytes, 1, Integer.MAX_VALUE);
    Limits.check("connectionBytes", connectionBytes, Limits.FIRST_WINDOW_BYTES, Integer.MAX_VALUE);
    Limits.check("largestBytes", largestBytes, 0, Integer.MAX_VALUE);
  }

  /** Windows that stay as they are. */
  public static WindowLimits fixed(int streamBytes, int connectionBytes) {
    return new WindowLimits(streamBytes, connectionBytes, 0);
  }
}
