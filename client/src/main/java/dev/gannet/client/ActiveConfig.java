package dev.gannet.client;

import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The service config that new calls use, and the retry tokens that belong to it. */
final class ActiveConfig {
  private final ServiceConfig config;
  private final RetrySettings limits;
  private final RetryThrottle throttle;
  private final LearntDelays learnt;
  private final boolean retries;

  /**
   * A new config. It keeps the throttle of the previous one if the throttling settings are the
   * same, and what was learnt of the latency of its methods.
   *
   * @param before the previous one
   */
  ActiveConfig(ServiceConfig config, RetrySettings limits, Optional<ActiveConfig> before) {
    this.config = config;
    this.limits = limits;
    this.throttle =
        before
            .map(it -> it.throttle)
            .filter(it -> it.settings().equals(config.retryThrottling()))
            .orElseGet(() -> new RetryThrottle(config.retryThrottling()));
    this.learnt = before.map(it -> it.learnt).orElseGet(LearntDelays::new);
    this.retries = config.hasAttemptPolicy() && limits.mode() == RetrySettings.Mode.ENABLED;
  }

  ServiceConfig config() {
    return config;
  }

  MethodConfig of(String fullMethodName) {
    return config.methodConfig(fullMethodName);
  }

  /** Whether calls of the method may have more than one attempt. */
  boolean isRetried(String fullMethodName) {
    if (!retries) {
      return false;
    }
    MethodConfig method = of(fullMethodName);
    return method.retryPolicy().isPresent() || method.hedgingPolicy().isPresent();
  }

  /** The policy for one call of the method; empty if it has one attempt. */
  Optional<AttemptPolicy> attemptPolicy(String fullMethodName, RandomGenerator random) {
    if (!isRetried(fullMethodName)) {
      return Optional.empty();
    }
    MethodConfig method = of(fullMethodName);
    if (method.retryPolicy().isPresent()) {
      return Optional.of(
          new AttemptPolicy.Retries(
              method.retryPolicy().get(), limits.maxAttempts(), throttle, random));
    }
    HedgingPolicy hedging = method.hedgingPolicy().orElseThrow();
    return Optional.of(
        new AttemptPolicy.Hedges(
            hedging, limits.maxHedgedAttempts(), throttle, learnt.of(fullMethodName, hedging)));
  }
}
