package dev.gannet.http2;

/**
 * When a silent peer is sent a PING (RFC 9113 §6.7, gRFC A8), and how long it may take to react.
 * Any bytes that arrive count as a reaction, not only the answer to the PING.
 *
 * @param silenceNanos how long nothing may arrive before a PING is sent; {@link Timeouts#NEVER} for
 *     no PINGs
 * @param answerNanos how long after the PING something must arrive
 * @param whenIdle whether PINGs are also sent while no stream is open
 */
public record PingPolicy(long silenceNanos, long answerNanos, WhenIdle whenIdle) {
  /** What is done on a connection without open streams. */
  public enum WhenIdle {
    ASK,
    LEAVE_ALONE
  }

  /** No PINGs are sent. */
  public static final PingPolicy NONE =
      new PingPolicy(Timeouts.NEVER, Timeouts.NEVER, WhenIdle.LEAVE_ALONE);

  /**
   * Checks both times.
   *
   * @throws IllegalArgumentException if a time is not positive
   */
  public PingPolicy {
    Range.check("silenceNanos", silenceNanos, 1, Timeouts.NEVER);
    Range.check("answerNanos", answerNanos, 1, Timeouts.NEVER);
  }

  /** Whether PINGs are sent at all. */
  public boolean isOn() {
    return silenceNanos < Timeouts.FAR_NANOS;
  }
}
