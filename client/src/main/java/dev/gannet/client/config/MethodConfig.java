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
  private final Optional<RetryPolicy> retryPolicy;
  private final Optional<HedgingPolicy> hedgingPolicy;

  private MethodConfig(Builder from) {
    timeout = from.timeout;
    waitForReady = from.waitForReady;
    maxRequestMessageBytes = from.maxRequestMessageBytes;
    maxResponseMessageBytes = from.maxResponseMessageBytes;
    retryPolicy = from.retryPolicy;
    hedgingPolicy = from.hedgingPolicy;
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
    builder.retryPolicy = retryPolicy;
    builder.hedgingPolicy = hedgingPolicy;
    return builder;
  }

  /** Builds a config. Not safe for concurrent use. */
  public static final class Builder {
    private Optional<Duration> timeout = Optional.empty();
    private Optional<Boolean> waitForReady = Optional.empty();
    private OptionalInt maxRequestMessageBytes = OptionalInt.empty();
    private OptionalInt maxResponseMessageBytes = OptionalInt.empty();
    private Optional<RetryPolicy> retryPolicy = Optional.empty();
    private Optional<HedgingPolicy> hedgingPolicy = Optional.empty();

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
     * The maximum size of a request message, in bytes before compression.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxRequestMessageBytes(int bytes) {
      maxRequestMessageBytes = OptionalInt.of(Check.notNegative("maxRequestMessageBytes", bytes));
      return this;
    }

    /**
     * The maximum size of a response message, in bytes after decompression.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxResponseMessageBytes(int bytes) {
      maxResponseMessageBytes = OptionalInt.of(Check.notNegative("maxResponseMessageBytes", bytes));
      return this;
    }

    /** When a failed call is retried. */
    public Builder retryPolicy(RetryPolicy policy) {
      retryPolicy = Optional.of(policy);
      return this;
    }

    /** When further attempts of a call start although the first has not failed. */
    public Builder hedgingPolicy(HedgingPolicy policy) {
      hedgingPolicy = Optional.of(policy);
      return this;
    }

    /**
     * Removes the retry policy and the hedging policy: for a copy of a config that has one, and is
     * to have the other or none.
     */
    public Builder clearRetryAndHedgingPolicy() {
      retryPolicy = Optional.empty();
      hedgingPolicy = Optional.empty();
      return this;
    }

    /**
     * The config.
     *
     * @throws IllegalArgumentException if it has a retry policy and a hedging policy
     */
    public MethodConfig build() {
      if (retryPolicy.isPresent() && hedgingPolicy.isPresent()) {
        throw new IllegalArgumentException(
            "methodConfig can have a retryPolicy or a hedgingPolicy, not both");
      }
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

  /** When a failed call is retried; empty, the default, if only transparently. */
  public Optional<RetryPolicy> retryPolicy() {
    return retryPolicy;
  }

  /**
   * When further attempts start although the first has not failed; empty, the default, if never.
   */
  public Optional<HedgingPolicy> hedgingPolicy() {
    return hedgingPolicy;
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
        && retryPolicy.equals(that.retryPolicy)
        && hedgingPolicy.equals(that.hedgingPolicy);
  }

  @Override
  public int hashCode() {
    return Objects.hash(timeout, waitForReady, retryPolicy, hedgingPolicy);
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
        + ", retryPolicy="
        + retryPolicy
        + ", hedgingPolicy="
        + hedgingPolicy
        + "]";
  }
}
