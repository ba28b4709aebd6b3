package dev.gannet.http2;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a peer may take for what it must do. All times are in nanoseconds; {@link #NEVER} means
 * no limit.
 *
 * @param handshakeNanos from the connected pipe, TLS included, to the peer's preface and first
 *     SETTINGS
 * @param headerBlockNanos from HEADERS to the CONTINUATION that ends the block; also from the
 *     beginning to the end of any other single frame except DATA
 * @param settingsAckNanos from this side's SETTINGS to their acknowledgement (RFC 9113 §6.5.3); for
 *     the first SETTINGS, from the peer's own. If any bytes of this side still wait to be sent when
 *     it ends, it starts again, because the SETTINGS may be among them. It also starts again while
 *     DATA arrives, until as much has arrived as a window allows, because the acknowledgement may
 *     be behind it
 * @param stallNanos how long bytes that were written may wait without any of them being sent. A
 *     peer that gives no window back does not count: DATA that waits for a window is not written
 *     yet
 * @param keepalive when a silent peer is sent a PING
 * @param pings how often a peer may send PINGs
 */
public record Timeouts(
    long handshakeNanos,
    long headerBlockNanos,
    long settingsAckNanos,
    long stallNanos,
    PingPolicy keepalive,
    PingLimits pings) {
  /** No limit. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * A time of this length (146 years) or more counts as {@link #NEVER}: clocks are compared by
   * difference.
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

  /** The earlier of two times of a clock, either of which may be {@link #NEVER}. */
  public static long earlier(long oneNanos, long otherNanos) {
    if (oneNanos == NEVER || otherNanos == NEVER) {
      return oneNanos == NEVER ? otherNanos : oneNanos;
    }
    return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
  }

  /** These times with another handshake timeout; at least a nanosecond, at most 292 years. */
  public Timeouts withHandshake(Duration time) {
    return new Timeouts(
        TimeUnit.NANOSECONDS.convert(time),
        headerBlockNanos,
        settingsAckNanos,
        stallNanos,
        keepalive,
        pings);
  }

  /** These times with another timeout for header blocks and frames. */
  public Timeouts withHeaderBlock(Duration time) {
    return new Timeouts(
        handshakeNanos,
        TimeUnit.NANOSECONDS.convert(time),
        settingsAckNanos,
        stallNanos,
        keepalive,
        pings);
  }

  /** These times with another timeout for the acknowledgement of SETTINGS. */
  public Timeouts withSettingsAck(Duration time) {
    return new Timeouts(
        handshakeNanos,
        headerBlockNanos,
        TimeUnit.NANOSECONDS.convert(time),
        stallNanos,
        keepalive,
        pings);
  }

  /** These times with another stall timeout. */
  public Timeouts withStall(Duration time) {
    return new Timeouts(
        handshakeNanos,
        headerBlockNanos,
        settingsAckNanos,
        TimeUnit.NANOSECONDS.convert(time),
        keepalive,
        pings);
  }

  /** These times with another keepalive. */
  public Timeouts withKeepalive(PingPolicy other) {
    return new Timeouts(
        handshakeNanos, headerBlockNanos, settingsAckNanos, stallNanos, other, pings);
  }

  /** These times with another limit of PINGs. */
  public Timeouts withPings(PingLimits other) {
    return new Timeouts(
        handshakeNanos, headerBlockNanos, settingsAckNanos, stallNanos, keepalive, other);
  }
}
