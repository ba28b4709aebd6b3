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

  /** A builder without values: all must be set except {@link Builder#perAttemptReceiveTimeout}. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with the values of this policy. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.maxAttempts = maxAttempts;
    builder.initialBackoff = initialBackoff;
    builder.maxBackoff = maxBackoff;
    builder.backoffMultiplier = backoffMultiplier;
    builder.retryableStatusCodes = retryableStatusCodes;
    builder.perAttemptReceiveTimeout = perAttemptReceiveTimeout;
    return builder;
  }

  /** Builds a policy. Not safe for concurrent use. */
  public static final class Builder {
    private int maxAttempts;
    private Duration initialBackoff = Duration.ZERO;
    private Duration maxBackoff = Duration.ZERO;
    private double backoffMultiplier;
    private Set<Status.Code> retryableStatusCodes = Set.of();
    private Optional<Duration> perAttemptReceiveTimeout = Optional.empty();

    private Builder() {}

    /**
     * The maximum number of attempts of a call, including the first one; at most the channel's
     * {@code maxRetryAttempts}, which is 5 by default.
     *
     * @throws IllegalArgumentException if it is less than 2
     */
    public Builder maxAttempts(int attempts) {
      maxAttempts = Check.attempts(attempts);
      return this;
    }

    /**
     * The delay before the first retry.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder initialBackoff(Duration backoff) {
      initialBackoff = Check.positive("initialBackoff", backoff);
      return this;
    }

    /**
     * The maximum delay before a retry.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxBackoff(Duration backoff) {
      maxBackoff = Check.positive("maxBackoff", backoff);
      return this;
    }

    /**
     * The factor by which the delay grows with each retry.
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
     * The failures after which a call is retried.
     *
     * @throws IllegalArgumentException if there is none, or OK is among them
     */
    public Builder retryableStatusCodes(Collection<Status.Code> codes) {
      if (Objects.requireNonNull(codes, "retryableStatusCodes").isEmpty()) {
        throw new IllegalArgumentException("retryableStatusCodes cannot be empty");
      }
      retryableStatusCodes = Check.failures("retryableStatusCodes", codes);
      return this;
    }

    /** The failures after which a call is retried. */
    public Builder retryableStatusCodes(Status.Code... codes) {
      return retryableStatusCodes(List.of(Objects.requireNonNull(codes, "retryableStatusCodes")));
    }

    /**
     * How long an attempt may wait until its response begins. An attempt that waits longer is
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
     * @throws IllegalArgumentException if a value is missing
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
