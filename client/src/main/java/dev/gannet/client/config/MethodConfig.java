package dev.gannet.client.config;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The part of a service config for certain methods (gRFC A2, {@code methodConfig}). If the options
 * of a call set a timeout or a size limit, too, the smaller value applies; its own {@code
 * waitForReady} overrides this one. Immutable.
 */
public final class MethodConfig {
  /** A config without settings. */
  public static final MethodConfig EMPTY = builder().build();

  private final Optional<Duration> timeout;
  private final Optional<Boolean> waitForReady;
  private final OptionalInt maxRequestMessageBytes;
  private final OptionalInt maxResponseMessageBytes;
  private final Optional<FurtherAttempts> furtherAttempts;

  private MethodConfig(Builder builder) {
    timeout = builder.timeout;
    waitForReady = builder.waitForReady;
    maxRequestMessageBytes = builder.maxRequestMessageBytes;
    maxResponseMessageBytes = builder.maxResponseMessageBytes;
    furtherAttempts = builder.furtherAttempts;
  }

  /** A builder without settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with the settings of this config. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.timeout = timeout;
    builder.waitForReady = waitForReady;
    builder.maxRequestMessageBytes = maxRequestMessageBytes;
    builder.maxResponseMessageBytes = maxResponseMessageBytes;
    builder.furtherAttempts = furtherAttempts;
    return builder;
  }

  /** Builds a config. Not safe for concurrent use. */
  public static final class Builder {
    private Optional<Duration> timeout = Optional.empty();
    private Optional<Boolean> waitForReady = Optional.empty();
    private OptionalInt maxRequestMessageBytes = OptionalInt.empty();
    private OptionalInt maxResponseMessageBytes = OptionalInt.empty();
    private Optional<FurtherAttempts> furtherAttempts = Optional.empty();

    private Builder() {}

    /**
     * The timeout of a call, counted from its start.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder timeout(Duration timeout) {
      this.timeout = Optional.of(Check.notNegative("timeout", timeout));
      return this;
    }

    /** Whether calls wait for a connection instead of failing while there is none. */
    public Builder waitForReady(boolean waits) {
      waitForReady = Optional.of(waits);
      return this;
    }

    /**
     * The maximum size of a request message, in bytes before compression. If the application limits
     * it, too, the smaller limit applies.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxRequestMessageBytes(int bytes) {
      maxRequestMessageBytes = OptionalInt.of(Check.notNegative("maxRequestMessageBytes", bytes));
      return this;
    }

    /**
     * The maximum size of a response message, in bytes after decompression. If the application sets
     * a limit for the channel or the call, the smaller one applies; without one this replaces the
     * default of 4 MiB.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxResponseMessageBytes(int bytes) {
      maxResponseMessageBytes = OptionalInt.of(Check.notNegative("maxResponseMessageBytes", bytes));
      return this;
    }

    /** When a failed call is retried. Replaces a hedging policy. */
    public Builder retryPolicy(RetryPolicy policy) {
      furtherAttempts = Optional.of(Objects.requireNonNull(policy, "policy"));
      return this;
    }

    /**
     * When further attempts of a call start although the first has not failed. Replaces a retry
     * policy.
     */
    public Builder hedgingPolicy(HedgingPolicy policy) {
      furtherAttempts = Optional.of(Objects.requireNonNull(policy, "policy"));
      return this;
    }

    /** Removes the retry policy or hedging policy of the config that is copied. */
    public Builder clearFurtherAttempts() {
      furtherAttempts = Optional.empty();
      return this;
    }

    /** The config. */
    public MethodConfig build() {
      return new MethodConfig(this);
    }
  }

  /** The timeout of a call, counted from its start. */
  public Optional<Duration> timeout() {
    return timeout;
  }

  /** Whether calls wait for a connection. */
  public Optional<Boolean> waitForReady() {
    return waitForReady;
  }

  /**
   * The maximum size of a request, in bytes before compression; empty by default: then only the
   * limits of the call and the channel apply.
   */
  public OptionalInt maxRequestMessageBytes() {
    return maxRequestMessageBytes;
  }

  /**
   * The maximum size of a response, in bytes after decompression; empty by default: then only the
   * limits of the call and the channel apply.
   */
  public OptionalInt maxResponseMessageBytes() {
    return maxResponseMessageBytes;
  }

  /**
   * The retry policy or the hedging policy; empty, the default, if a call has further attempts only
   * by transparent retries.
   */
  public Optional<FurtherAttempts> furtherAttempts() {
    return furtherAttempts;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || isSame(other);
  }

  private boolean isSame(@Nullable Object other) {
    return other instanceof MethodConfig that
        && timeout.equals(that.timeout)
        && waitForReady.equals(that.waitForReady)
        && maxRequestMessageBytes.equals(that.maxRequestMessageBytes)
        && maxResponseMessageBytes.equals(that.maxResponseMessageBytes)
        && furtherAttempts.equals(that.furtherAttempts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(timeout, waitForReady, furtherAttempts);
  }

  @Override
  public String toString() {
    return "MethodConfig[timeout="
        + timeout
        + ", waitForReady="
        + waitForReady
        + ", maxRequestMessageBytes="
        + maxRequestMessageBytes
        + ", maxResponseMessageBytes="
        + maxResponseMessageBytes
        + ", furtherAttempts="
        + furtherAttempts
        + "]";
  }
}
