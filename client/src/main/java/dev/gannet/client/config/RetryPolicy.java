package dev.gannet.client.config;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a call that has failed is tried again (gRFC A6, {@code retryPolicy}). The wait before the
 * n-th retry is {@code min(initialBackoff * backoffMultiplier^(n-1), maxBackoff)}, a fifth more or
 * less by chance, unless the server says how long ({@code grpc-retry-pushback-ms}). Immutable.
 */
public final class RetryPolicy {
  private final int maxAttempts;
  private final Duration initialBackoff;
  private final Duration maxBackoff;
  private final double backoffMultiplier;
  private final Set<Status.Code> retryableStatusCodes;
  private final Optional<Duration> perAttemptReceiveTimeout;

  private RetryPolicy(Builder from) {
    maxAttempts = from.maxAttempts;
    initialBackoff = from.initialBackoff;
    maxBackoff = from.maxBackoff;
    backoffMultiplier = from.backoffMultiplier;
    retryableStatusCodes = from.retryableStatusCodes;
    perAttemptReceiveTimeout = from.perAttemptReceiveTimeout;
  }

  /** A policy without values: all have to be given but {@link Builder#perAttemptReceiveTimeout}. */
  public static Builder builder() {
    return new Builder();
  }

  /** What a policy will be. Not for several threads at once. */
  public static final class Builder {
    private int maxAttempts;
    private Duration initialBackoff = Duration.ZERO;
    private Duration maxBackoff = Duration.ZERO;
    private double backoffMultiplier;
    private Set<Status.Code> retryableStatusCodes = Set.of();
    private Optional<Duration> perAttemptReceiveTimeout = Optional.empty();

    private Builder() {}

    /**
     * How many attempts a call has at most, the first one included; no more than the channel's
     * {@code maxRetryAttempts}, which is 5 by default.
     *
     * @throws IllegalArgumentException if it is less than 2
     */
    public Builder maxAttempts(int attempts) {
      maxAttempts = Check.attempts(attempts);
      return this;
    }

    /**
     * How long to wait before the first retry.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder initialBackoff(Duration backoff) {
      initialBackoff = Check.positive("initialBackoff", backoff);
      return this;
    }

    /**
     * The longest wait before a retry.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxBackoff(Duration backoff) {
      maxBackoff = Check.positive("maxBackoff", backoff);
      return this;
    }

    /**
     * By what the wait grows with each retry.
     *
     * @throws IllegalArgumentException if it is not a positive number
     */
    public Builder backoffMultiplier(double multiplier) {
      if (!(multiplier > 0) || Double.isInfinite(multiplier)) {
        throw new IllegalArgumentException("backoffMultiplier must be positive: " + multiplier);
      }
      backoffMultiplier = multiplier;
      return this;
    }

    /**
     * Failures after which a call is tried again.
     *
     * @throws IllegalArgumentException if there is none, or OK is among them
     */
    public Builder retryableStatusCodes(Collection<Status.Code> codes) {
      if (codes.isEmpty()) {
        throw new IllegalArgumentException("retryableStatusCodes cannot be empty");
      }
      retryableStatusCodes = Check.failures("retryableStatusCodes", codes);
      return this;
    }

    /** As {@link #retryableStatusCodes(Collection)}. */
    public Builder retryableStatusCodes(Status.Code... codes) {
      return retryableStatusCodes(Set.of(codes));
    }

    /**
     * How long an attempt may wait for the begin of the response. One that waits longer is
     * cancelled, and counts as failed with a retryable status. No limit by default.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder perAttemptReceiveTimeout(Duration timeout) {
      perAttemptReceiveTimeout = Optional.of(Check.positive("perAttemptRecvTimeout", timeout));
      return this;
    }

    /**
     * The policy.
     *
     * @throws IllegalArgumentException if a value has not been given
     */
    public RetryPolicy build() {
      require("maxAttempts", maxAttempts != 0);
      require("initialBackoff", !initialBackoff.isZero());
      require("maxBackoff", !maxBackoff.isZero());
      require("backoffMultiplier", backoffMultiplier != 0);
      require("retryableStatusCodes", !retryableStatusCodes.isEmpty());
      return new RetryPolicy(this);
    }

    private static void require(String field, boolean isGiven) {
      if (!isGiven) {
        throw new IllegalArgumentException("retryPolicy has no " + field);
      }
    }
  }

  /** How many attempts a call has at most, before the channel's own limit. */
  public int maxAttempts() {
    return maxAttempts;
  }

  public Duration initialBackoff() {
    return initialBackoff;
  }

  public Duration maxBackoff() {
    return maxBackoff;
  }

  public double backoffMultiplier() {
    return backoffMultiplier;
  }

  /** Failures after which a call is tried again. */
  public Set<Status.Code> retryableStatusCodes() {
    return retryableStatusCodes;
  }

  /** How long an attempt may wait for the begin of the response; empty if there is no limit. */
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
