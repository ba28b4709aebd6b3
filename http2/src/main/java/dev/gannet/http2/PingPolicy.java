package dev.gannet.http2;

import java.time.Duration;

/**
 * When a silent peer is asked for a sign of life by PING (RFC 9113 §6.7, gRFC A8), and how long it
 * may take to give one. Whatever arrives is such a sign, not the answer to the PING alone.
 *
 * @param silenceNanos how long nothing may arrive before the peer is asked; {@link Timeouts#NEVER}
 *     never asks
 * @param answerNanos how long after that something must arrive
 * @param whenIdle whether a peer without open streams is asked too
 */
public record PingPolicy(long silenceNanos, long answerNanos, WhenIdle whenIdle) {
  /** What becomes of a connection on which no stream is open. */
  public enum WhenIdle {
    ASK,
    LEAVE_ALONE
  }

  /** Nobody is ever asked. */
  public static final PingPolicy NONE =
      new PingPolicy(Timeouts.NEVER, Duration.ofSeconds(20).toNanos(), WhenIdle.LEAVE_ALONE);

  /**
   * Checks both times.
   *
   * @throws IllegalArgumentException if a time is not positive
   */
  public PingPolicy {
    Range.check("silenceNanos", silenceNanos, 1, Timeouts.NEVER);
    Range.check("answerNanos", answerNanos, 1, Timeouts.NEVER);
  }

  /** Whether anybody is ever asked. */
  public boolean isOn() {
    return silenceNanos < Timeouts.FAR_NANOS;
  }
}
