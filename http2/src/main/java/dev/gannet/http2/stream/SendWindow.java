package dev.gannet.http2.stream;

/**
 * How many bytes of DATA the peer allows this side to send (RFC 9113 §6.9). May be negative after
 * the peer lowered its initial window.
 */
public final class SendWindow {
  private static final long LARGEST = Integer.MAX_VALUE; // RFC 9113 §6.9.1

  private int bytes;

  public SendWindow(int bytes) {
    this.bytes = bytes;
  }

  /** What may be sent now; 0 if the window is negative. */
  public int available() {
    return Math.max(0, bytes);
  }

  /** Counts what was sent. */
  public void spend(int sent) {
    bytes -= sent;
  }

  /**
   * Widens the window, or narrows it by a negative change; false if it would become larger than the
   * RFC allows.
   */
  public boolean widen(int change) {
    if ((long) bytes + change > LARGEST) {
      return false;
    }
    bytes += change;
    return true;
  }
}
