package dev.gannet.http2;

/**
 * How much DATA may be on its way to this side or wait for its reader (RFC 9113 §5.2).
 *
 * @param streamBytes the initial window of a stream
 * @param connectionBytes the initial window of the connection
 * @param largestBytes what either window may grow to on a connection with high latency and
 *     bandwidth; windows do not grow if this is smaller than the initial size
 * @param heldBytes how many received bytes may wait for readers while the connection's window has
 *     its initial size; it grows in proportion to that window. Together with the bytes that may be
 *     on their way, a connection holds at most this and its window
 */
public record WindowLimits(int streamBytes, int connectionBytes, int largestBytes, int heldBytes) {
  /** No limit for what is held. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  public static final WindowLimits DEFAULT = new WindowLimits(1 << 20, 1 << 20, 8 << 20, 4 << 20);

  /**
   * Checks each limit.
   *
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public WindowLimits {
    Range.check("streamBytes", streamBytes, 1, Integer.MAX_VALUE);
    Range.check("connectionBytes", connectionBytes, Limits.INITIAL_WINDOW_BYTES, Integer.MAX_VALUE);
    Range.check("largestBytes", largestBytes, 0, Integer.MAX_VALUE);
    Range.check("heldBytes", heldBytes, 1, Integer.MAX_VALUE);
  }

  /** Windows that do not grow, of a connection that may hold four times its window. */
  public static WindowLimits ofSize(int streamBytes, int connectionBytes) {
    int heldBytes = (int) Math.min(UNBOUNDED, 4L * connectionBytes);
    return new WindowLimits(streamBytes, connectionBytes, 0, heldBytes);
  }

  /** Windows that stay as they are, whatever is held. */
  public static WindowLimits fixed(int streamBytes, int connectionBytes) {
    return new WindowLimits(streamBytes, connectionBytes, 0, UNBOUNDED);
  }
}
