package dev.gannet.transport.settings;

import dev.gannet.http2.PingLimits;
import java.time.Duration;

/**
 * How often clients may send PINGs to a server (gRFC A8). Two PINGs that come too early are
 * forgiven; the third closes the connection.
 *
 * @param timeNanos the shortest time between two PINGs
 * @param idle whether {@code timeNanos} also holds for a connection without calls; if not, two
 *     hours hold there
 */
public record PingPermit(long timeNanos, Idle idle) {
  /** The rule for a connection without calls. */
  public enum Idle {
    AS_WITH_CALLS,
    TWO_HOURS
  }

  private static final long TWO_HOURS_NANOS = Duration.ofHours(2).toNanos();
  private static final int FORGIVEN_STRIKES = 2;

  /** A PING every five minutes; every two hours without calls. */
  public static final PingPermit OF_SERVERS =
      new PingPermit(Duration.ofMinutes(5).toNanos(), Idle.TWO_HOURS);

  /** A PING at any time: clients do not limit the PINGs of servers. */
  public static final PingPermit OF_CLIENTS = new PingPermit(0, Idle.AS_WITH_CALLS);

  /**
   * The same with another time.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public PingPermit withTime(Duration time) {
    return new PingPermit(Nanos.ofZeroOrMore("permitKeepAliveTime", time), idle);
  }

  /** The same with another rule for connections without calls. */
  public PingPermit withIdle(Idle other) {
    return new PingPermit(timeNanos, other);
  }

  PingLimits ofHttp2() {
    long idleNanos = idle == Idle.AS_WITH_CALLS ? timeNanos : Math.max(timeNanos, TWO_HOURS_NANOS);
    return new PingLimits(timeNanos, idleNanos, FORGIVEN_STRIKES);
  }
}
