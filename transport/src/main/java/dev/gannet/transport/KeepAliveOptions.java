package dev.gannet.transport;

import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.PingPolicy.WhenIdle;
import dev.gannet.http2.Timeouts;
import java.time.Duration;

/**
 * When a connection on which nothing arrives is asked for a sign of life, and given up without one
 * (gRFC A8).
 *
 * @param timeNanos how long nothing may arrive before a PING asks; {@link Timeouts#NEVER} never
 * @param timeoutNanos how long after the PING something must arrive
 * @param idle what becomes of a connection without calls
 */
public record KeepAliveOptions(long timeNanos, long timeoutNanos, Idle idle) {
  /** What becomes of a connection without calls. */
  public enum Idle {
    ASKED,
    LEFT_ALONE
  }

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

  /** Off; 20 s for an answer, and idle connections are left alone. */
  public static final KeepAliveOptions OF_CLIENTS =
      new KeepAliveOptions(Timeouts.NEVER, TIMEOUT_NANOS, Idle.LEFT_ALONE);

  /** After 2 h, with calls or without; 20 s for an answer. */
  public static final KeepAliveOptions OF_SERVERS =
      new KeepAliveOptions(Duration.ofHours(2).toNanos(), TIMEOUT_NANOS, Idle.ASKED);

  /**
   * The same with another time.
   *
   * @param least what a shorter time is raised to
   * @throws IllegalArgumentException if the time is not positive
   */
  public KeepAliveOptions withTime(Duration time, Duration least) {
    return new KeepAliveOptions(Nanos.of("keepAliveTime", time, least), timeoutNanos, idle);
  }

  /**
   * The same with another timeout, 10 ms at least.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public KeepAliveOptions withTimeout(Duration timeout) {
    long nanos = Nanos.of("keepAliveTimeout", timeout, MIN_TIMEOUT);
    return new KeepAliveOptions(timeNanos, nanos, idle);
  }

  /** The same for idle connections as said. */
  public KeepAliveOptions withIdle(Idle other) {
    return new KeepAliveOptions(timeNanos, timeoutNanos, other);
  }

  /** The same at half the pace: for a server that complained. */
  public KeepAliveOptions doubled() {
    long twice = timeNanos >= Timeouts.FAR_NANOS / 2 ? Timeouts.NEVER : timeNanos * 2;
    return new KeepAliveOptions(twice, timeoutNanos, idle);
  }

  PingPolicy ofHttp2() {
    return new PingPolicy(
        timeNanos, timeoutNanos, idle == Idle.ASKED ? WhenIdle.ASK : WhenIdle.LEAVE_ALONE);
  }
}
