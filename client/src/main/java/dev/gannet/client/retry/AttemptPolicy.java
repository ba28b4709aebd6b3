package dev.gannet.client.retry;

import dev.gannet.api.Status;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.transport.CallEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Decides which attempts the calls of a method make after their first (gRFC A6): pure decisions,
 * without a clock or a timer. One object for all calls of the method; safe for all threads.
 */
public sealed interface AttemptPolicy {
  /** What attempts after the first are. */
  enum Kind {
    /** Retries: each begins after the attempt before it has failed. */
    RETRY,
    /** Hedges: several attempts run in parallel. */
    HEDGE
  }

  /** What follows after a failed attempt. */
  sealed interface Next {
    /** The call ends with that failure. */
    record Finish() implements Next {}

    /** Another attempt begins after this delay. */
    record Another(long delayNanos) implements Next {}

    /** No further attempt begins; the running ones decide. */
    record NoMore() implements Next {}
  }

  /** How an attempt has failed. */
  enum Cause {
    /** The attempt has ended: by its server, its connection, or before it had one. */
    CLOSED,
    /** No response has begun within {@link #receiveTimeoutNanos}, so the attempt is cancelled. */
    RECEIVE_TIMEOUT
  }

  /**
   * A failure of an attempt.
   *
   * @param pushback what the server says about further attempts
   */
  record Failure(Status status, Pushback pushback, Cause cause) {
    /** The failure of an attempt that has ended with this. */
    public static Failure of(CallEvent.Closed closed, Cause cause) {
      return new Failure(closed.status(), Pushback.of(closed.trailers()), cause);
    }
  }

  /**
   * What a call has behind it.
   *
   * @param attempts how many attempts of the call have begun
   * @param backoffs how many have begun after a backoff, since the server last sent a pushback
   */
  record History(int attempts, int backoffs) {}

  /** What the attempts after the first are called. */
  Kind kind();

  /** Whether another attempt may begin although none has failed, after so many. */
  boolean mayHedge(int attempts);

  /** Whether no attempt can follow the last of so many, or run beside it. */
  boolean isLast(int attempts);

  /**
   * The delay after which the next attempt begins even if none has failed, if the policy hedges.
   */
  OptionalLong hedgingDelayNanos();

  /** How long an attempt may wait until its response begins. */
  OptionalLong receiveTimeoutNanos();

  /** Whether time passes for it before an attempt has failed. */
  boolean needsTime();

  /** Whether another attempt may follow such a failure. */
  boolean isRetryable(Failure failure);

  /** An attempt has failed. */
  Next afterFailure(Failure failure, History history, RandomGenerator random);

  /**
   * An attempt has failed and no other may follow, because its response had begun, the deadline has
   * passed or the channel is closing: this ends the call, and is only counted.
   */
  void countFailure(Failure failure);

  /** Whether the next attempt, whose time has come, may begin. */
  boolean mayBeginOnTime();

  /** Whether it wants to know when the first attempts of calls are answered. */
  default boolean learns() {
    return false;
  }

  /**
   * A call is answered while its first attempt is under way.
   *
   * @param sinceBeginNanos the time since that attempt began; its own answer takes at least as long
   */
  default void onAnswer(long sinceBeginNanos) {}

  /** One attempt after the other. */
  final class Retries implements AttemptPolicy {
    private static final double JITTER = 0.2;

    private final RetryPolicy policy;
    private final int maxAttempts;
    private final RetryThrottle throttle;

    Retries(RetryPolicy policy, int limit, RetryThrottle throttle) {
      this.policy = policy;
      this.maxAttempts = Math.min(policy.maxAttempts(), limit);
      this.throttle = throttle;
    }

    @Override
    public Kind kind() {
      return Kind.RETRY;
    }

    @Override
    public boolean mayHedge(int attempts) {
      return false;
    }

    @Override
    public boolean isLast(int attempts) {
      return attempts >= maxAttempts && !needsTime();
    }

    @Override
    public boolean needsTime() {
      return policy.perAttemptReceiveTimeout().isPresent();
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
    public void countFailure(Failure failure) {
      throttle.onFailure(failure, isRetryable(failure));
    }

    @Override
    public boolean mayBeginOnTime() {
      return true; // decided when the one before failed
    }

    @Override
    public boolean isRetryable(Failure failure) {
      return failure.cause() == Cause.RECEIVE_TIMEOUT
          || policy.retryableStatusCodes().contains(failure.status().code());
    }

    @Override
    public Next afterFailure(Failure failure, History history, RandomGenerator random) {
      boolean retryable = isRetryable(failure);
      boolean stopped = failure.pushback() instanceof Pushback.Stop;
      boolean open = throttle.onFailure(failure, retryable);
      if (!retryable || stopped || !open || history.attempts() >= maxAttempts) {
        return new Next.Finish();
      }
      if (failure.pushback() instanceof Pushback.After after) {
        return new Next.Another(TimeUnit.MILLISECONDS.toNanos(after.millis()));
      }
      return new Next.Another(backoffNanos(history.backoffs(), random));
    }

    private long backoffNanos(int backoffs, RandomGenerator random) {
      double nanos =
          nanos(policy.initialBackoff()) * Math.pow(policy.backoffMultiplier(), backoffs);
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

    /**
     * For the calls of a method.
     *
     * @param times of the method; empty if the delay is not learnt
     */
    Hedges(HedgingPolicy policy, int limit, RetryThrottle throttle, Optional<ResponseTimes> times) {
      this.policy = policy;
      this.maxAttempts = Math.min(policy.maxAttempts(), limit);
      this.throttle = throttle;
      this.times = times;
    }

    @Override
    public Kind kind() {
      return Kind.HEDGE;
    }

    @Override
    public boolean mayHedge(int attempts) {
      return attempts < maxAttempts;
    }

    @Override
    public boolean isLast(int attempts) {
      return false; // others may run beside it
    }

    @Override
    public boolean needsTime() {
      return true;
    }

    @Override
    public OptionalLong hedgingDelayNanos() {
      return OptionalLong.of(LearntDelays.delayNanos(policy, times));
    }

    @Override
    public OptionalLong receiveTimeoutNanos() {
      return OptionalLong.empty();
    }

    @Override
    public void countFailure(Failure failure) {
      throttle.onFailure(failure, isRetryable(failure));
    }

    @Override
    public boolean mayBeginOnTime() {
      return throttle.isOpen();
    }

    @Override
    public boolean isRetryable(Failure failure) {
      return policy.nonFatalStatusCodes().contains(failure.status().code());
    }

    @Override
    public Next afterFailure(Failure failure, History history, RandomGenerator random) {
      boolean retryable = isRetryable(failure);
      boolean stopped = failure.pushback() instanceof Pushback.Stop;
      boolean open = throttle.onFailure(failure, retryable);
      if (!retryable) {
        return new Next.Finish();
      }
      if (stopped || !open || history.attempts() >= maxAttempts) {
        return new Next.NoMore();
      }
      return failure.pushback() instanceof Pushback.After after
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
