package dev.gannet.client.config;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a failed call is retried (gRFC A6, {@code retryPolicy}). The delay before the n-th retry is
 * {@code min(initialBackoff * backoffMultiplier^(n-1), maxBackoff)}, with 20% of jitter, unless the
 * server sets it ({@code grpc-retry-pushback-ms}). Immutable.
 */
public final class RetryPolicy implements FurtherAttempts {
  private static final Duration DEFAULT_INITIAL_BACKOFF = Duration.ofMillis(100);
  private static final Duration DEFAULT_MAX_BACKOFF = Duration.ofSeconds(1);
  private static final double DEFAULT_MULTIPLIER = 2;
  private static final String CODES = "retryableStatusCodes";

  private final int maxAttempts;
  private final Duration initialBackoff;
  private final Duration maxBackoff;
  private final double backoffMultiplier;
  private final Set<Status.Code> retryableStatusCodes;
  private final Optional<Duration> perAttemptReceiveTimeout;

  private RetryPolicy(
      int maxAttempts,
      Duration initialBackoff,
      Duration maxBackoff,
      double backoffMultiplier,
      Set<Status.Code> retryableStatusCodes,
      Optional<Duration> perAttemptReceiveTimeout) {
    this.maxAttempts = maxAttempts;
    this.initialBackoff = initialBackoff;
    this.maxBackoff = maxBackoff;
    this.backoffMultiplier = backoffMultiplier;
    this.retryableStatusCodes = retryableStatusCodes;
    this.perAttemptReceiveTimeout = perAttemptReceiveTimeout;
  }

  /**
   * Retries after these failures, with delays of 100 ms, 200 ms and so on up to 1 s.
   *
   * @param maxAttempts the maximum number of attempts of a call, including the first one; at most
   *     the channel's {@code maxRetryAttempts}, which is 5 by default
   * @throws IllegalArgumentException if there are less than 2 attempts, there is no code, or OK is
   *     among them
   */
  public static RetryPolicy of(int maxAttempts, Collection<Status.Code> retryableStatusCodes) {
    return new RetryPolicy(
        Check.attempts(maxAttempts),
        DEFAULT_INITIAL_BACKOFF,
        DEFAULT_MAX_BACKOFF,
        DEFAULT_MULTIPLIER,
        retryable(retryableStatusCodes),
        Optional.empty());
  }

  /**
   * Like {@link #of(int, Collection)}.
   *
   * @throws IllegalArgumentException if there are less than 2 attempts, there is no code, or OK is
   *     among them
   */
  public static RetryPolicy of(int maxAttempts, Status.Code... retryableStatusCodes) {
    return of(maxAttempts, listed(retryableStatusCodes));
  }

  private static Set<Status.Code> retryable(Collection<Status.Code> codes) {
    if (Objects.requireNonNull(codes, CODES).isEmpty()) {
      throw new IllegalArgumentException(CODES + " cannot be empty");
    }
    return Check.failures(CODES, codes);
  }

  private static List<Status.Code> listed(Status.Code... codes) {
    return List.of(Objects.requireNonNull(codes, CODES));
  }

  /**
   * Sets the maximum number of attempts of a call, including the first one; at most the channel's
   * {@code maxRetryAttempts}, which is 5 by default.
   *
   * @throws IllegalArgumentException if it is less than 2
   */
  public RetryPolicy withMaxAttempts(int attempts) {
    return new RetryPolicy(
        Check.attempts(attempts),
        initialBackoff,
        maxBackoff,
        backoffMultiplier,
        retryableStatusCodes,
        perAttemptReceiveTimeout);
  }

  /**
   * Sets the delay before the first retry; 100 ms by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RetryPolicy withInitialBackoff(Duration backoff) {
    return new RetryPolicy(
        maxAttempts,
        Check.positive("initialBackoff", backoff),
        maxBackoff,
        backoffMultiplier,
        retryableStatusCodes,
        perAttemptReceiveTimeout);
  }

  /**
   * Sets the maximum delay before a retry; 1 s by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RetryPolicy withMaxBackoff(Duration backoff) {
    return new RetryPolicy(
        maxAttempts,
        initialBackoff,
        Check.positive("maxBackoff", backoff),
        backoffMultiplier,
        retryableStatusCodes,
        perAttemptReceiveTimeout);
  }

  /**
   * Sets the factor by which the delay grows with each retry; 2 by default.
   *
   * @throws IllegalArgumentException if it is not a positive number
   */
  public RetryPolicy withBackoffMultiplier(double multiplier) {
    if (!(multiplier > 0) || Double.isInfinite(multiplier)) {
      throw new IllegalArgumentException("backoffMultiplier must be positive: " + multiplier);
    }
    return new RetryPolicy(
        maxAttempts,
        initialBackoff,
        maxBackoff,
        multiplier,
        retryableStatusCodes,
        perAttemptReceiveTimeout);
  }

  /**
   * Sets the failures after which a call is retried, in place of those before.
   *
   * @throws IllegalArgumentException if there is none, or OK is among them
   */
  public RetryPolicy withRetryableStatusCodes(Collection<Status.Code> codes) {
    return new RetryPolicy(
        maxAttempts,
        initialBackoff,
        maxBackoff,
        backoffMultiplier,
        retryable(codes),
        perAttemptReceiveTimeout);
  }

  /**
   * Like {@link #withRetryableStatusCodes(Collection)}.
   *
   * @throws IllegalArgumentException if there is none, or OK is among them
   */
  public RetryPolicy withRetryableStatusCodes(Status.Code... codes) {
    return withRetryableStatusCodes(listed(codes));
  }

  /**
   * Sets how long an attempt may wait until its response begins. An attempt that waits longer is
   * cancelled, and counts as failed with a retryable status. No limit by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RetryPolicy withPerAttemptReceiveTimeout(Duration timeout) {
    return new RetryPolicy(
        maxAttempts,
        initialBackoff,
        maxBackoff,
        backoffMultiplier,
        retryableStatusCodes,
        Optional.of(Check.positive("perAttemptRecvTimeout", timeout)));
  }

  @Override
  public int maxAttempts() {
    return maxAttempts;
  }

  /** The delay before the first retry; positive. */
  public Duration initialBackoff() {
    return initialBackoff;
  }

  /** The maximum delay before a retry, before jitter; positive. */
  public Duration maxBackoff() {
    return maxBackoff;
  }

  /** The factor by which the delay grows with each retry; positive. */
  public double backoffMultiplier() {
    return backoffMultiplier;
  }

  /** The failures after which a call is retried. */
  public Set<Status.Code> retryableStatusCodes() {
    return retryableStatusCodes;
  }

  /** How long an attempt may wait until its response begins; empty if there is no limit. */
  public Optional<Duration> perAttemptReceiveTimeout() {
    return perAttemptReceiveTimeout;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetryPolicy that
        && maxAttempts == that.maxAttempts
        && initialBackoff.equals(that.initialBackoff)
        && maxBackoff.equals(that.maxBackoff)
        && Double.compare(backoffMultiplier, that.backoffMultiplier) == 0
        && retryableStatusCodes.equals(that.retryableStatusCodes)
        && perAttemptReceiveTimeout.equals(that.perAttemptReceiveTimeout);
  }

  @Override
  public int hashCode() {
    return Objects.hash(maxAttempts, initialBackoff, maxBackoff, retryableStatusCodes);
  }

  @Override
  public String toString() {
    return "RetryPolicy[maxAttempts="
        + maxAttempts
        + ", initialBackoff="
        + initialBackoff
        + ", maxBackoff="
        + maxBackoff
        + ", backoffMultiplier="
        + backoffMultiplier
        + ", retryableStatusCodes="
        + retryableStatusCodes
        + perAttemptReceiveTimeout.map(it -> ", perAttemptReceiveTimeout=" + it).orElse("")
        + "]";
  }
}
