package dev.gannet.server;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Objects;

/**
 * How a server refuses calls that it cannot serve in time, instead of serving all of them late. Off
 * unless {@link ServerBuilder#loadShedding} switches it on.
 *
 * <p><b>Unary calls</b> have an adaptive limit: how many may be in their handlers at once is learnt
 * from how long they take (as long as with few others: the limit grows; longer: it shrinks). A call
 * is counted from the time when its request is whole, so a client that sends slowly takes no place,
 * until its handler has answered, or has come back if the call was cancelled. While calls are
 * refused, only a quarter is admitted for a moment every four seconds, to learn how long calls take
 * that wait for no other; so it is at the very first calls, too.
 *
 * <p><b>Streams</b> last as long as their clients like, so nothing is learnt from them; they are
 * counted apart and have a fixed limit, none by default. The calls of {@code grpc.health.v1.Health}
 * are exempt from all limits.
 *
 * <p>A call above its limit ends at once with the status that is configured here and the trailer
 * {@code grpc-retry-pushback-ms}, and its handler does not run. A unary call that has less time
 * left than half of what its method takes without waiting ends with {@code DEADLINE_EXCEEDED}.
 *
 * <p>Immutable.
 */
public final class LoadShedding {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /**
   * What a running server counts.
   *
   * @param limit how many unary calls may be in their handlers now
   * @param callsUnderWay how many are
   * @param callsRefused how many were refused by the limit since the server started
   * @param streamsUnderWay how many streams are in their handlers
   * @param streamsRefused how many were refused since the server started
   */
  public record Snapshot(
      int limit, int callsUnderWay, long callsRefused, int streamsUnderWay, long streamsRefused) {}

  private final int initialLimit;
  private final int maxLimit;
  private final int maxStreams;
  private final Status.Code code;
  private final Duration pushback;

  private LoadShedding(
      int initialLimit, int maxLimit, int maxStreams, Status.Code code, Duration pushback) {
    this.initialLimit = initialLimit;
    this.maxLimit = maxLimit;
    this.maxStreams = maxStreams;
    this.code = code;
    this.pushback = pushback;
  }

  /**
   * Begins with 20 calls and finds the limit itself; refuses with {@code RESOURCE_EXHAUSTED} and
   * asks clients to wait 100 ms.
   */
  public static LoadShedding adaptive() {
    return new LoadShedding(
        20, 100_000, NO_LIMIT, Status.Code.RESOURCE_EXHAUSTED, Duration.ofMillis(100));
  }

  /**
   * The limit of unary calls to begin with; 20 by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public LoadShedding withInitialLimit(int calls) {
    requirePositive("initialLimit", calls);
    return new LoadShedding(calls, maxLimit, maxStreams, code, pushback);
  }

  /**
   * What the limit of unary calls never exceeds; 100,000 by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public LoadShedding withMaxLimit(int calls) {
    requirePositive("maxLimit", calls);
    return new LoadShedding(initialLimit, calls, maxStreams, code, pushback);
  }

  /**
   * How many streams of all other kinds may be in their handlers at once; no limit by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public LoadShedding withMaxStreams(int streams) {
    requirePositive("maxStreams", streams);
    return new LoadShedding(initialLimit, maxLimit, streams, code, pushback);
  }

  /**
   * What refused calls end with: {@code RESOURCE_EXHAUSTED}, the default, or {@code UNAVAILABLE},
   * which more clients retry without being told to.
   *
   * @throws IllegalArgumentException if it is another code
   */
  public LoadShedding withStatus(Status.Code code) {
    if (code != Status.Code.RESOURCE_EXHAUSTED && code != Status.Code.UNAVAILABLE) {
      throw new IllegalArgumentException(
          "the status of refused calls must be RESOURCE_EXHAUSTED or UNAVAILABLE: " + code);
    }
    return new LoadShedding(initialLimit, maxLimit, maxStreams, code, pushback);
  }

  /**
   * How long clients that retry are asked to wait, in whole milliseconds ({@code
   * grpc-retry-pushback-ms}, gRFC A6); 100 ms by default.
   *
   * @throws IllegalArgumentException if it is negative or longer than a day
   */
  public LoadShedding withPushback(Duration wait) {
    Objects.requireNonNull(wait, "wait");
    if (wait.isNegative() || wait.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("the pushback must be from 0 to a day: " + wait);
    }
    return new LoadShedding(initialLimit, maxLimit, maxStreams, code, wait);
  }

  private static void requirePositive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }

  int initialLimit() {
    return Math.min(initialLimit, maxLimit);
  }

  int maxLimit() {
    return maxLimit;
  }

  int maxStreams() {
    return maxStreams;
  }

  Status.Code code() {
    return code;
  }

  Duration pushback() {
    return pushback;
  }
}
