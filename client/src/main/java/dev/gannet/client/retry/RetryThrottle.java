package dev.gannet.client.retry;

import dev.gannet.api.Metadata;
import dev.gannet.client.config.RetryThrottling;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The tokens of a channel: failed attempts take them, successful calls return them, whatever their
 * method (gRFC A6). Counted in thousandths. Without {@code retryThrottling} nothing is counted.
 * Safe for all threads.
 */
public final class RetryThrottle {
  /** Without tokens: it allows all attempts. */
  public static final RetryThrottle NONE = new RetryThrottle(Optional.empty());

  private static final int TOKEN = 1000;

  private final Optional<RetryThrottling> settings;
  private final int mostTokens;
  private final int ratio;
  private final AtomicInteger tokens;

  /** Starts with the maximum number of tokens. */
  RetryThrottle(Optional<RetryThrottling> settings) {
    this.settings = settings;
    this.mostTokens = settings.isPresent() ? settings.get().maxTokens() * TOKEN : 0;
    this.ratio = settings.isPresent() ? (int) Math.round(settings.get().tokenRatio() * TOKEN) : 0;
    this.tokens = new AtomicInteger(mostTokens);
  }

  Optional<RetryThrottling> settings() {
    return settings;
  }

  /**
   * An attempt has failed, which takes a token if the failure is retryable, or if its server wants
   * no further attempts. Returns whether further attempts are allowed.
   */
  boolean onFailure(AttemptPolicy.Failure failure, boolean retryable) {
    return (retryable || failure.pushback() instanceof Pushback.Stop) ? onFailure() : isOpen();
  }

  /** An attempt has failed, and takes a token; returns whether further attempts are allowed. */
  boolean onFailure() {
    if (settings.isPresent()) {
      tokens.updateAndGet(it -> Math.max(0, it - TOKEN));
    }
    return isOpen();
  }

  /**
   * A call without a policy for attempts has failed: no failure is retryable for it, so only a
   * server that wants no further attempts takes a token.
   */
  public void onFailureWithoutPolicy(Metadata trailers) {
    if (settings.isPresent() && Pushback.of(trailers) instanceof Pushback.Stop) {
      onFailure();
    }
  }

  /** A call has succeeded. */
  public void onSuccess() {
    if (settings.isPresent() && tokens.get() < mostTokens) {
      tokens.updateAndGet(it -> (int) Math.min(mostTokens, (long) it + ratio));
    }
  }

  /** Whether further attempts are allowed. */
  boolean isOpen() {
    return settings.isEmpty() || tokens.get() > mostTokens / 2;
  }
}
