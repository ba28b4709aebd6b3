package dev.gannet.http2.connection;

import dev.gannet.http2.Limits;

/**
 * What a stream's window begins with, as we tell the peer in SETTINGS_INITIAL_WINDOW_SIZE and as it
 * applies to all streams alike (RFC 9113 §6.9.2). One change at a time is under way.
 *
 * <p>The peer uses a larger value from some moment between our SETTINGS and its acknowledgement on,
 * so a raise counts when it is said, and a cut when it is acknowledged.
 */
final class InitialWindow {
  private int said = Limits.FIRST_WINDOW_BYTES;
  private int inForce = Limits.FIRST_WINDOW_BYTES;
  private boolean underWay;

  /** Counts SETTINGS with that value as said. */
  void say(int bytes) {
    said = bytes;
    inForce = Math.max(inForce, bytes);
    underWay = true;
  }

  /** The peer has acknowledged the oldest SETTINGS that it had not yet. */
  void onAck() {
    underWay = false;
    inForce = said;
  }

  /** Whether the last value was not acknowledged yet. */
  boolean isUnderWay() {
    return underWay;
  }

  int saidBytes() {
    return said;
  }

  /** The largest value that the peer may go by now. */
  int bytesInForce() {
    return inForce;
  }
}
