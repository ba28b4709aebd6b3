package dev.gannet.http2.connection;

import dev.gannet.http2.Limits;
import java.util.ArrayDeque;

/**
 * What a stream's window begins with, as we tell the peer in SETTINGS_INITIAL_WINDOW_SIZE and as it
 * applies to all streams alike (RFC 9113 §6.9.2).
 *
 * <p>The peer uses a value from some moment between our SETTINGS and its acknowledgement on, so a
 * raise counts when it is said, and a cut when it is acknowledged.
 */
final class InitialWindow {
  private static final int MAX_UNDER_WAY = 4;

  private final ArrayDeque<Integer> underWay = new ArrayDeque<>(MAX_UNDER_WAY);
  private int acknowledged = Limits.FIRST_WINDOW_BYTES;
  private int said = Limits.FIRST_WINDOW_BYTES;
  private int inForce = Limits.FIRST_WINDOW_BYTES;

  /** Counts SETTINGS with that value as said; true if streams have more by it. */
  boolean say(int bytes) {
    said = bytes;
    underWay.add(bytes);
    return change();
  }

  /** The peer has acknowledged the oldest of our SETTINGS; true if streams have less by it. */
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

  /** Whether another change may be said: peers need not bear many. */
  boolean takesOneMore() {
    return underWay.size() < MAX_UNDER_WAY;
  }

  /** The last value that was said. */
  int saidBytes() {
    return said;
  }

  /** The largest value that the peer may go by now. */
  int bytesInForce() {
    return inForce;
  }
}
