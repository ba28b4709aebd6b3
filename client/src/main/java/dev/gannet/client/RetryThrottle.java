package dev.gannet.client;

import dev.gannet.client.config.RetryThrottling;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The tokens of a channel that failed attempts take and calls that succeed bring back (gRFC A6); it
 * counts thousandths. Without {@code retryThrottling} nothing is counted. Safe for all threads.
 */
final class RetryThrottle {
  private static final int TOKEN = 1000;

  private final Optional<RetryThrottling> settings;
  private final int mostTokens;
  private final int ratio;
  private final AtomicInteger tokens;

  /** With as many tokens as there may be. */
  RetryThrottle(Optional<RetryThrottling> settings) {
    this.settings = settings;
    this.mostTokens = settings.map(it -> it.maxTokens() * TOKEN).orElse(0);
    this.ratio = (int) Math.round(settings.map(RetryThrottling::tokenRatio).orElse(0.0) * TOKEN);
    this.tokens = new AtomicInteger(mostTokens);
  }

  Optional<RetryThrottling> settings() {
    return settings;
  }

  /** An attempt has failed so that another might follow; whether it may. */
  boolean onFailure() {
    if (settings.isPresent()) {
      tokens.updateAndGet(it -> Math.max(0, it - TOKEN));
    }
    return isOpen();
  }

  /** A call has succeeded. */
  void onSuccess() {
    if (settings.isPresent() && tokens.get() < mostTokens) {
      tokens.updateAndGet(it -> (int) Math.min(mostTokens, (long) it + ratio));
    }
  }

  /** Whether attempts may follow others. */
  boolean isOpen() {
    return settings.isEmpty() || tokens.get() > mostTokens / 2;
  }
}
