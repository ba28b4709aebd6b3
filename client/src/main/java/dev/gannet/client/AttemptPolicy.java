package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Decides which attempts a call makes after its first (gRFC A6): pure decisions, without a clock or
 * a timer. Not safe for concurrent use.
 */
sealed interface AttemptPolicy {
  /** What follows after a failed attempt. */
  sealed interface Next {
    /** The call ends with that failure. */
    record Finish() implements Next {}

    /** Another attempt begins after this delay. */
    record Another(long delayNanos) implements Next {}

    /** No further attempt begins; the running ones decide. */
    record NoMore() implements Next {}
  }

  /** The maximum number of attempts of the call. */
  int maxAttempts();

  /**
   * The delay after which the next attempt begins even if none has failed; empty if there is no
   * hedging.
   */
  OptionalLong hedgingDelayNanos();

  /** How long an attempt may wait until its response begins. */
  OptionalLong receiveTimeoutNanos();

  /** Whether time passes for it before an attempt has failed. */
  default boolean needsTime() {
    return learns() || hedgingDelayNanos().isPresent() || receiveTimeoutNanos().isPresent();
  }

  /** Whether another attempt may follow a failure with this code. */
  boolean isPassing(Status.Code code);

  /**
   * An attempt has failed.
   *
   * @param passing whether another attempt may follow such a failure
   * @param attempts how many have begun
   */
  Next afterFailure(boolean passing, Pushback pushback, int attempts);

  /**
   * An attempt has failed after its response had begun: this ends the call, and is only counted.
   */
  default void countFailure(Status.Code code, Pushback pushback) {
    if (isPassing(code) || pushback instanceof Pushback.Stop) {
      throttle().onFailure();
    }
  }

  RetryThrottle throttle();

  /** Whether it wants to know when the first attempts of calls are answered. */
  default boolean learns() {
    return false;
  }

  /**
   * A call is answered while its first attempt is under way.
   *
   * @param sinceBeginNanos how long that attempt has taken at least
   */
  default void onAnswer(long sinceBeginNanos) {}

  /** One attempt after the other. */
  final class Retries implements AttemptPolicy {
    private static final double JITTER = 0.2;

    private final RetryPolicy policy;
    private final int maxAttempts;
    private final RetryThrottle throttle;
    private final RandomGenerator random;

    /** The number of backoffs since the server last sent a pushback. */
    private int waits;

    Retries(RetryPolicy policy, int limit, RetryThrottle throttle, RandomGenerator random) {
      this.policy = policy;
      this.maxAttempts = Math.min(policy.maxAttempts(), limit);
      this.throttle = throttle;
      this.random = random;
    }

    @Override
    public int maxAttempts() {
      return maxAttempts;
    }

    @Override
    public OptionalLong hedgingDelayNanos() {
      return OptionalLong.empty();
    }

    @Override
    public OptionalLong receiveTimeoutNanos() {
      return policy.perAttemptReceiveTimeout().isPresent()
          ? OptionalLong.of(nanos(policy.perAttemptReceiveTimeout().get()))
          : OptionalLong.empty();
    }

    @Override
    public RetryThrottle throttle() {
      return throttle;
    }

    @Override
    public boolean isPassing(Status.Code code) {
      return policy.retryableStatusCodes().contains(code);
    }

    @Override
    public Next afterFailure(boolean passing, Pushback pushback, int attempts) {
      boolean stopped = pushback instanceof Pushback.Stop;
      boolean open = !(passing || stopped) || throttle.onFailure();
      if (!passing || stopped || !open || attempts >= maxAttempts) {
        return new Next.Finish();
      }
      if (pushback instanceof Pushback.After after) {
        waits = 0;
        return new Next.Another(TimeUnit.MILLISECONDS.toNanos(after.millis()));
      }
      return new Next.Another(backoffNanos());
    }

    private long backoffNanos() {
      double nanos = nanos(policy.initialBackoff()) * Math.pow(policy.backoffMultiplier(), waits);
      waits++;
      double capped = Math.min(nanos, (double) nanos(policy.maxBackoff()));
      return (long) (capped * random.nextDouble(1 - JITTER, 1 + JITTER));
    }
  }

  /** Several attempts in parallel. */
  final class Hedges implements AttemptPolicy {
    private final HedgingPolicy policy;
    private final int maxAttempts;
    private final RetryThrottle throttle;
    private final Optional<ResponseTimes> times;
    private final long delayNanos;

    /**
     * For one call.
     *
     * @param times of the method; empty if the delay is not learnt
     */
    Hedges(HedgingPolicy policy, int limit, RetryThrottle throttle, Optional<ResponseTimes> times) {
      this.policy = policy;
      this.maxAttempts = Math.min(policy.maxAttempts(), limit);
      this.throttle = throttle;
      this.times = times;
      this.delayNanos = LearntDelays.delayNanos(policy, times);
    }

    @Override
    public int maxAttempts() {
      return maxAttempts;
    }

    @Override
    public OptionalLong hedgingDelayNanos() {
      return OptionalLong.of(delayNanos);
    }

    @Override
    public OptionalLong receiveTimeoutNanos() {
      return OptionalLong.empty();
    }

    @Override
    public RetryThrottle throttle() {
      return throttle;
    }

    @Override
    public boolean isPassing(Status.Code code) {
      return policy.nonFatalStatusCodes().contains(code);
    }

    @Override
    public Next afterFailure(boolean passing, Pushback pushback, int attempts) {
      boolean stopped = pushback instanceof Pushback.Stop;
      boolean open = !(passing || stopped) || throttle.onFailure();
      if (!passing) {
        return new Next.Finish();
      }
      if (stopped || !open || attempts >= maxAttempts) {
        return new Next.NoMore();
      }
      return pushback instanceof Pushback.After after
          ? new Next.Another(TimeUnit.MILLISECONDS.toNanos(after.millis()))
          : new Next.Another(0);
    }

    @Override
    public boolean learns() {
      return times.isPresent();
    }

    @Override
    public void onAnswer(long sinceBeginNanos) {
      times.ifPresent(it -> it.add(sinceBeginNanos));
    }
  }

  /** In nanoseconds; longer durations mean forever. */
  static long nanos(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(duration);
  }
}
