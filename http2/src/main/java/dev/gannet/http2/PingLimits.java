package dev.gannet.http2;

/**
 * How often a peer may send PINGs (RFC 9113 §6.7, gRFC A8). A PING that comes too early is a
 * strike; HEADERS or DATA from this side clear all strikes and allow one PING at any time, so a
 * peer that measures the round trip with PINGs while data flows never gets a strike.
 *
 * @param intervalNanos the shortest time between two PINGs while a stream is open
 * @param idleIntervalNanos the same while none is open
 * @param maxStrikes how many strikes are forgiven; the next one closes the connection
 */
public record PingLimits(long intervalNanos, long idleIntervalNanos, int maxStrikes) {
  /** No PING is too early. */
  public static final PingLimits NONE = new PingLimits(0, 0, Integer.MAX_VALUE);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public PingLimits {
    Range.check("intervalNanos", intervalNanos, 0, Timeouts.NEVER);
    Range.check("idleIntervalNanos", idleIntervalNanos, 0, Timeouts.NEVER);
    Range.check("maxStrikes", maxStrikes, 0, Integer.MAX_VALUE);
  }
}
