package dev.gannet.http2.connection;

import dev.gannet.http2.Limits;
import java.util.ArrayDeque;

/**
 * The initial window of streams, as this side sends it in SETTINGS_INITIAL_WINDOW_SIZE; it applies
 * to all streams (RFC 9113 §6.9.2).
 *
 * <p>The peer starts to use a value at some moment between the SETTINGS and their acknowledgement,
 * so a raise counts when it is sent, and a reduction when it is acknowledged.
 */
final class InitialWindow {
  private static final int MAX_UNDER_WAY = 4;

  private final ArrayDeque<Integer> underWay = new ArrayDeque<>(MAX_UNDER_WAY);
  private int acknowledged = Limits.INITIAL_WINDOW_BYTES;
  private int said = Limits.INITIAL_WINDOW_BYTES;
  private int inForce = Limits.INITIAL_WINDOW_BYTES;

  /** Counts SETTINGS with that value as sent; true if this raises the windows. */
  boolean say(int bytes) {
    said = bytes;
    underWay.add(bytes);
    return change();
  }

  /**
   * The peer has acknowledged the oldest of this side's SETTINGS; true if this lowers the windows.
   */
  boolean onAck() {
    Integer oldest = underWay.poll();
    if (oldest != null) {
      acknowledged = oldest;
    }
    return change();
  }

  private boolean change() {
    int before = inForce;
    inForce = acknowledged;
    for (int bytes : underWay) {
      inForce = Math.max(inForce, bytes);
    }
    return inForce != before;
  }

  /** Whether another change may be sent: peers need not accept many. */
  boolean takesOneMore() {
    return underWay.size() < MAX_UNDER_WAY;
  }

  /** The last value that was sent. */
  int saidBytes() {
    return said;
  }

  /** The largest value that the peer may be using now. */
  int bytesInForce() {
    return inForce;
  }
}
