package dev.gannet.client.retry;

import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.settings.RetrySettings;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The service config that new calls use, and the retry tokens that belong to it. Safe for all
 * threads.
 */
public final class ActiveConfig {
  /**
   * The number of methods whose settings are kept; those of others are looked up for each call,
   * because names of methods may come from outside.
   */
  static final int MAX_METHODS = 1024;

  private static final String ANY_METHOD = "any.Service/AnyMethod";

  private final ServiceConfig config;
  private final RetrySettings limits;
  private final RetryThrottle throttle;
  private final LearntDelays learnt;

  /** The settings of all methods, if they are the same. */
  private final Optional<MethodSettings> sameForAll;

  private final ConcurrentHashMap<String, MethodSettings> methods = new ConcurrentHashMap<>();

  /**
   * A new config. It keeps the throttle of the previous one if the throttling settings are the
   * same, and what was learnt of the latency of its methods.
   *
   * @param before the previous one
   */
  public ActiveConfig(ServiceConfig config, RetrySettings limits, Optional<ActiveConfig> before) {
    this.config = config;
    this.limits = limits;
    this.throttle =
        before
            .map(it -> it.throttle)
            .filter(it -> it.settings().equals(config.retryThrottling()))
            .orElseGet(() -> new RetryThrottle(config.retryThrottling()));
    this.learnt = before.map(it -> it.learnt).orElseGet(LearntDelays::new);
    this.sameForAll =
        config.isSameForAllMethods() && !learns(config.methodConfig(ANY_METHOD))
            ? Optional.of(settings(ANY_METHOD))
            : Optional.empty();
  }

  private static boolean learns(MethodConfig method) {
    return method.hedgingPolicy().isPresent()
        && method.hedgingPolicy().get().learntHedgingDelay().isPresent();
  }

  public ServiceConfig config() {
    return config;
  }

  /** What it says about a method. */
  public MethodSettings of(String fullMethodName) {
    if (sameForAll.isPresent()) {
      return sameForAll.get();
    }
    MethodSettings known = methods.get(fullMethodName);
    if (known != null) {
      return known;
    }
    MethodSettings found = settings(fullMethodName);
    if (methods.size() < MAX_METHODS) { // or a few more, if threads add at once
      methods.put(fullMethodName, found);
    }
    return found;
  }

  private MethodSettings settings(String fullMethodName) {
    MethodConfig method = config.methodConfig(fullMethodName);
    return new MethodSettings(method, attempts(fullMethodName, method));
  }

  private Optional<AttemptPolicy> attempts(String fullMethodName, MethodConfig method) {
    if (limits.mode() != RetrySettings.Mode.ENABLED) {
      return Optional.empty();
    }
    if (method.retryPolicy().isPresent()) {
      return Optional.of(
          new AttemptPolicy.Retries(method.retryPolicy().get(), limits.maxAttempts(), throttle));
    }
    return method
        .hedgingPolicy()
        .map(it ->
            new AttemptPolicy.Hedges(
                it, limits.maxHedgedAttempts(), throttle, learnt.of(fullMethodName, it)));
  }
}
