package dev.gannet.transport.settings;

import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.PingPolicy.WhenIdle;
import dev.gannet.http2.Timeouts;
import java.time.Duration;

/**
 * When a PING is sent on a connection without received data, and when the connection is closed
 * without an answer (gRFC A8).
 *
 * @param timeNanos the time without received data before a PING is sent; {@link Timeouts#NEVER} for
 *     never
 * @param timeoutNanos the time after the PING within which something must arrive
 * @param idle how connections without calls are treated
 */
public record KeepaliveOptions(long timeNanos, long timeoutNanos, Idle idle) {
  /** How connections without calls are treated. */
  public enum Idle {
    ASKED,
    LEFT_ALONE
  }

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

  /** Off; 20 s for an answer, and no PINGs on idle connections. */
  public static final KeepaliveOptions OF_CLIENTS =
      new KeepaliveOptions(Timeouts.NEVER, TIMEOUT_NANOS, Idle.LEFT_ALONE);

  /** After 2 h, with calls or without; 20 s for an answer. */
  public static final KeepaliveOptions OF_SERVERS =
      new KeepaliveOptions(Duration.ofHours(2).toNanos(), TIMEOUT_NANOS, Idle.ASKED);

  /**
   * Sets the time.
   *
   * @param least a shorter time is raised to this
   * @throws IllegalArgumentException if the time is not positive
   */
  public KeepaliveOptions withTime(Duration time, Duration least) {
    return new KeepaliveOptions(Nanos.of("keepAliveTime", time, least), timeoutNanos, idle);
  }

  /**
   * Sets the timeout, at least 10 ms.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public KeepaliveOptions withTimeout(Duration timeout) {
    long nanos = Nanos.of("keepAliveTimeout", timeout, MIN_TIMEOUT);
    return new KeepaliveOptions(timeNanos, nanos, idle);
  }

  /** Sets how connections without calls are treated. */
  public KeepaliveOptions withIdle(Idle other) {
    return new KeepaliveOptions(timeNanos, timeoutNanos, other);
  }

  /** The same with half the frequency: for a server that reported too many PINGs. */
  public KeepaliveOptions doubled() {
    long twice = timeNanos >= Timeouts.FAR_NANOS / 2 ? Timeouts.NEVER : timeNanos * 2;
    return new KeepaliveOptions(twice, timeoutNanos, idle);
  }

  PingPolicy ofHttp2() {
    return new PingPolicy(
        timeNanos, timeoutNanos, idle == Idle.ASKED ? WhenIdle.ASK : WhenIdle.LEAVE_ALONE);
  }
}
