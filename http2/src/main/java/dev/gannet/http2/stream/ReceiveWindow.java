package dev.gannet.http2.stream;

/**
 * How many bytes of DATA the peer may send us, and how many it gets back as they are consumed (RFC
 * 9113 §6.9).
 *
 * <p>Bytes are given back in portions of at least half the window, so that updates stay few.
 */
public final class ReceiveWindow {
  private final int size;
  private long left;
  private int consumed;

  /** A window whose size the peer knows. */
  public ReceiveWindow(int size) {
    this(size, size);
  }

  /**
   * A window with nothing taken yet, whose size the peer may not know.
   *
   * @param size bytes that may be under way or unread at once
   * @param promised bytes that the peer may believe it has, at least the size
   */
  public ReceiveWindow(int size, int promised) {
    this.size = size;
    this.left = promised;
  }

  /** Counts what arrived; false if the peer sent more than it may. */
  public boolean take(int bytes) {
    left -= bytes;
    return left >= 0;
  }

  /**
   * Counts what was consumed.
   *
   * @return the increment that is now due in a WINDOW_UPDATE, 0 for none yet
   */
  public int consume(int bytes) {
    consumed += bytes;
    if (consumed < size / 2 || consumed == 0) {
      return 0;
    }
    int due = consumed;
    left += due;
    consumed = 0;
    return due;
  }
}
