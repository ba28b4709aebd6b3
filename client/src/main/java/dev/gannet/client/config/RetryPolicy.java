package dev.gannet.client.config;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When a failed call is retried (gRFC A6, {@code retryPolicy}). The delay before the n-th retry is
 * {@code min(initialBackoff * backoffMultiplier^(n-1), maxBackoff)}, with 20% of jitter, unless the
 * server sets it ({@code grpc-retry-pushback-ms}). Immutable.
 */
public final class RetryPolicy implements FurtherAttempts {
  private static final String CODES = "retryableStatusCodes";

  /** The values of one instance; only written during construction. */
  private static final class Values {
    private int maxAttempts; // every factory sets it
    private Duration initialBackoff = Duration.ofMillis(100);
    private Duration maxBackoff = Duration.ofSeconds(1);
    private double backoffMultiplier = 2;
    private Set<Status.Code> retryableStatusCodes = Set.of();
    private Optional<Duration> perAttemptReceiveTimeout = Optional.empty();

    Values() {}

    Values(Values other) {
      maxAttempts = other.maxAttempts;
      initialBackoff = other.initialBackoff;
      maxBackoff = other.maxBackoff;
      backoffMultiplier = other.backoffMultiplier;
      retryableStatusCodes = other.retryableStatusCodes;
      perAttemptReceiveTimeout = other.perAttemptReceiveTimeout;
    }

    List<Object> all() {
      return List.of(
          maxAttempts,
          initialBackoff,
          maxBackoff,
          backoffMultiplier,
          retryableStatusCodes,
          perAttemptReceiveTimeout);
    }
  }

  private final Values values;

  private RetryPolicy(Values values) {
    this.values = values;
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
    return new RetryPolicy(new Values())
        .withMaxAttempts(maxAttempts)
        .withRetryableStatusCodes(retryableStatusCodes);
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
    return with(it -> it.maxAttempts = Check.attempts(attempts));
  }

  /**
   * Sets the delay before the first retry; 100 ms by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RetryPolicy withInitialBackoff(Duration backoff) {
    return with(it -> it.initialBackoff = Check.positive("initialBackoff", backoff));
  }

  /**
   * Sets the maximum delay before a retry; 1 s by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public RetryPolicy withMaxBackoff(Duration backoff) {
    return with(it -> it.maxBackoff = Check.positive("maxBackoff", backoff));
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
    return with(it -> it.backoffMultiplier = multiplier);
  }

  /**
   * Sets the failures after which a call is retried, in place of those before.
   *
   * @throws IllegalArgumentException if there is none, or OK is among them
   */
  public RetryPolicy withRetryableStatusCodes(Collection<Status.Code> codes) {
    return with(it -> it.retryableStatusCodes = retryable(codes));
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
    return with(it ->
        it.perAttemptReceiveTimeout =
            Optional.of(Check.positive("perAttemptRecvTimeout", timeout)));
  }

  private RetryPolicy with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new RetryPolicy(changed);
  }

  @Override
  public int maxAttempts() {
    return values.maxAttempts;
  }

  /** The delay before the first retry; positive. */
  public Duration initialBackoff() {
    return values.initialBackoff;
  }

  /** The maximum delay before a retry, before jitter; positive. */
  public Duration maxBackoff() {
    return values.maxBackoff;
  }

  /** The factor by which the delay grows with each retry; positive. */
  public double backoffMultiplier() {
    return values.backoffMultiplier;
  }

  /** The failures after which a call is retried. */
  public Set<Status.Code> retryableStatusCodes() {
    return values.retryableStatusCodes;
  }

  /** How long an attempt may wait until its response begins; empty if there is no limit. */
  public Optional<Duration> perAttemptReceiveTimeout() {
    return values.perAttemptReceiveTimeout;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetryPolicy that && values.all().equals(that.values.all());
  }

  @Override
  public int hashCode() {
    return values.all().hashCode();
  }

  @Override
  public String toString() {
    return "RetryPolicy[maxAttempts="
        + maxAttempts()
        + ", initialBackoff="
        + initialBackoff()
        + ", maxBackoff="
        + maxBackoff()
        + ", backoffMultiplier="
        + backoffMultiplier()
        + ", retryableStatusCodes="
        + retryableStatusCodes()
        + perAttemptReceiveTimeout().map(it -> ", perAttemptReceiveTimeout=" + it).orElse("")
        + "]";
  }
}
