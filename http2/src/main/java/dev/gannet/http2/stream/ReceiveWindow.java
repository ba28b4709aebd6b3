package dev.gannet.http2.stream;

/**
 * How many bytes of DATA the peer may send on a stream, and how many it gets back as they are
 * consumed (RFC 9113 §6.9).
 *
 * <p>Bytes are given back in {@linkplain #leastUpdateBytes portions}, so that updates are few. At
 * all times, the size is the sum of what is {@linkplain #left left}, what arrived and was not
 * consumed, and what was consumed and is {@linkplain #owed not given back yet}.
 */
public final class ReceiveWindow {
  /**
   * Once this much was consumed it is given back; otherwise peers with a high latency would wait
   * for the rest.
   */
  private static final int MAX_PORTION_BYTES = 256 << 10;

  private int size;
  private int left;
  private int owed;

  /** A window of which nothing was used yet. */
  public ReceiveWindow(int size) {
    this.size = size;
    this.left = size;
  }

  /** Counts what arrived; false, and nothing is left, if the peer sent more than allowed. */
  public boolean take(int bytes) {
    boolean fits = bytes <= left || bytes == 0;
    left = fits ? left - bytes : Math.min(left, 0);
    return fits;
  }

  /**
   * Counts what was consumed.
   *
   * @return the increment that is now due in a WINDOW_UPDATE, 0 for none yet
   */
  public int consume(int bytes) {
    owed += bytes;
    return due();
  }

  /**
   * Widens or narrows the window because SETTINGS_INITIAL_WINDOW_SIZE changed; what is left may
   * become negative (RFC 9113 §6.9.2).
   *
   * @return the increment that is now due in a WINDOW_UPDATE, 0 for none yet
   */
  public int resize(int newSize) {
    left += newSize - size;
    size = newSize;
    return due();
  }

  /** The smallest update: half the window, but at most 256 KiB. */
  static int leastUpdateBytes(int size) {
    return Math.max(1, Math.min(size / 2, MAX_PORTION_BYTES));
  }

  private int due() {
    if (owed < leastUpdateBytes(size)) {
      return 0;
    }
    int due = owed;
    left += due;
    owed = 0;
    return due;
  }

  /** Bytes that may be on their way or unread at a time. */
  public int size() {
    return size;
  }

  /** Bytes that the peer may still send. */
  public int left() {
    return left;
  }

  /** Bytes that arrived and were not consumed. */
  public int unread() {
    return size - left - owed;
  }

  /** Bytes that were consumed and are not given back yet. */
  public int owed() {
    return owed;
  }
}
