package dev.gannet.http2;

import java.time.Duration;

/**
 * How long a peer may take for what it owes. All in nanoseconds; {@link #NEVER} where there is no
 * end.
 *
 * @param handshakeNanos from the open pipe, TLS included, to the peer's preface and first SETTINGS
 * @param headerBlockNanos from HEADERS to the CONTINUATION that ends the block; from the begin to
 *     the end of any single frame, too, but for DATA
 * @param settingsAckNanos from our SETTINGS to their acknowledgement (RFC 9113 §6.5.3); for the
 *     first ones, from the peer's own. Where anything of ours waits for the wire at its end, it
 *     begins anew: those SETTINGS may be part of that. So it does while DATA comes, until that is
 *     as much as a window lets through: the acknowledgement may be behind it
 * @param stallNanos how long bytes that were written may wait without any of them leaving. A peer
 *     that gives no window back does not count: DATA that waits for a window is not written yet
 * @param keepalive when a silent peer is asked for a sign of life
 * @param pings how often a peer may ask for one
 */
public record Timeouts(
    long handshakeNanos,
    long headerBlockNanos,
    long settingsAckNanos,
    long stallNanos,
    PingPolicy keepalive,
    PingLimits pings) {
  /** Far beyond any uptime. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * From here on (146 years) a time counts as {@link #NEVER}: clocks are compared by difference.
   */
  public static final long FAR_NANOS = 1L << 62;

  public static final Timeouts DEFAULT =
      new Timeouts(
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofMinutes(10).toNanos(),
          PingPolicy.NONE,
          PingLimits.NONE);

  /**
   * Checks each time.
   *
   * @throws IllegalArgumentException if a time is not positive
   */
  public Timeouts {
    Range.check("handshakeNanos", handshakeNanos, 1, NEVER);
    Range.check("headerBlockNanos", headerBlockNanos, 1, NEVER);
    Range.check("settingsAckNanos", settingsAckNanos, 1, NEVER);
    Range.check("stallNanos", stallNanos, 1, NEVER);
  }

  /** The earlier of two times of a steady clock, either of which may be {@link #NEVER}. */
  public static long earlier(long oneNanos, long otherNanos) {
    if (oneNanos == NEVER || otherNanos == NEVER) {
      return oneNanos == NEVER ? otherNanos : oneNanos;
    }
    return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
  }

  /** These times with another handshake; at least a nanosecond, 292 years at the most. */
  public Timeouts withHandshake(Duration time) {
    return new Timeouts(
        time.toNanos(), headerBlockNanos, settingsAckNanos, stallNanos, keepalive, pings);
  }

  /** These times with another one for header blocks and frames. */
  public Timeouts withHeaderBlock(Duration time) {
    return new Timeouts(
        handshakeNanos, time.toNanos(), settingsAckNanos, stallNanos, keepalive, pings);
  }

  /** These times with another one for the acknowledgement of SETTINGS. */
  public Timeouts withSettingsAck(Duration time) {
    return new Timeouts(
        handshakeNanos, headerBlockNanos, time.toNanos(), stallNanos, keepalive, pings);
  }

  /** These times with another stall. */
  public Timeouts withStall(Duration time) {
    return new Timeouts(
        handshakeNanos, headerBlockNanos, settingsAckNanos, time.toNanos(), keepalive, pings);
  }

  /** These times with another keepalive. */
  public Timeouts withKeepalive(PingPolicy other) {
    return new Timeouts(
        handshakeNanos, headerBlockNanos, settingsAckNanos, stallNanos, other, pings);
  }

  /** These times with another bound of PINGs. */
  public Timeouts withPings(PingLimits other) {
    return new Timeouts(
        handshakeNanos, headerBlockNanos, settingsAckNanos, stallNanos, keepalive, other);
  }
}
