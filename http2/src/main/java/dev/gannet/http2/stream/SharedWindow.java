package dev.gannet.http2.stream;

/**
 * How many bytes of DATA the peer may send on all streams together (RFC 9113 §6.9).
 *
 * <p>Bytes are given back as they arrive, even if nobody reads them, so that a stream that nobody
 * reads does not stop the others. That ends when readers hold more than a bound: beyond it, the sum
 * of what is held and what may still arrive is never more than the bound and one window.
 *
 * <pre>
 *   held   0 ─────────────── bound ──────── bound + window
 *   left   window ───────── window ──────── 0
 * </pre>
 *
 * <p>Updates are sent in the portions of {@link ReceiveWindow}. Sizes are in bytes.
 */
public final class SharedWindow {
  private int size;
  private long bound;
  private long left;
  private long held;
  private long arrivedBytes;

  /** A window of which nothing was used yet, with nothing held. */
  public SharedWindow(int size, long bound) {
    this.size = size;
    this.bound = bound;
    this.left = size;
  }

  /** Counts what arrived; false if the peer sent more than allowed. */
  public boolean take(int bytes) {
    left -= bytes;
    arrivedBytes += bytes;
    return left >= 0 || bytes == 0;
  }

  /** Readers hold this many bytes more than before (or less, if negative). */
  public void hold(int change) {
    held += change;
  }

  /** The increment that is now due in a WINDOW_UPDATE, 0 for none yet; counts as given. */
  public int giveBack() {
    return give(ReceiveWindow.leastUpdateBytes(size));
  }

  /** Makes the window larger; returns the increment for a WINDOW_UPDATE. */
  public int growTo(int newSize) {
    size = newSize;
    return give(1);
  }

  /** Sets how much readers may hold before less is given back. */
  public void setBound(long bytes) {
    bound = bytes;
  }

  private int give(int least) {
    long allowed = Math.max(0, Math.min(size, size + bound - held));
    long due = allowed - left;
    if (due < least) {
      return 0;
    }
    left = allowed;
    return (int) due;
  }

  /** Whether the peer may send anything, or could if this many bytes less were held. */
  public boolean isOpenBut(long heldBytes) {
    long most = size + bound - ReceiveWindow.leastUpdateBytes(size);
    return left > 0 || held - heldBytes <= most;
  }

  /** Whether the window would have its full size if this many bytes less were held. */
  public boolean isWholeBut(long heldBytes) {
    return held - heldBytes <= bound;
  }

  /** How much has arrived in total. */
  public long arrivedBytes() {
    return arrivedBytes;
  }

  public int size() {
    return size;
  }

  /** What may be held before less is given back. */
  public long bound() {
    return bound;
  }

  /** Bytes that the peer may still send. */
  public long left() {
    return left;
  }

  /** What arrived and waits for its readers. */
  public long held() {
    return held;
  }
}
