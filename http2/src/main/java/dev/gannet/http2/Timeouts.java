package dev.gannet.http2;

import java.time.Duration;

/**
 * How long a peer may take for what it owes. All in nanoseconds; {@link #NEVER} where there is no
 * end.
 *
 * @param handshakeNanos from the open pipe to the peer's preface and first SETTINGS
 * @param headerBlockNanos from HEADERS to the CONTINUATION that ends the block
 * @param settingsAckNanos from our SETTINGS to their acknowledgement (RFC 9113 §6.5.3)
 * @param stallNanos how long output may wait without any of it leaving
 */
public record Timeouts(
    long handshakeNanos, long headerBlockNanos, long settingsAckNanos, long stallNanos) {
  /** Far beyond any uptime. */
  public static final long NEVER = Long.MAX_VALUE;

  public static final Timeouts DEFAULT =
      new Timeouts(
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofMinutes(10).toNanos());

  /**
   * Checks each time.
   *
   * @throws IllegalArgumentException if a time is not positive
   */
  public Timeouts {
    Limits.check("handshakeNanos", handshakeNanos, 1, NEVER);
    Limits.check("headerBlockNanos", headerBlockNanos, 1, NEVER);
    Limits.check("settingsAckNanos", settingsAckNanos, 1, NEVER);
    Limits.check("stallNanos", stallNanos, 1, NEVER);
  }
}
