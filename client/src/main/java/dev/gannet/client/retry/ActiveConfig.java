package dev.gannet.client.retry;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.client.config.FurtherAttempts;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
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

  /** The settings of all methods, if they are the same and without a policy for attempts. */
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
        config.isSameForAllMethods()
            ? withoutAttempts(config.methodConfig(ANY_METHOD))
            : Optional.empty();
  }

  /** Empty if the policy for attempts may differ from method to method. */
  private Optional<MethodSettings> withoutAttempts(MethodConfig method) {
    return mayHaveAttempts(method)
        ? Optional.empty()
        : Optional.of(new MethodSettings(method, Optional.empty()));
  }

  private boolean mayHaveAttempts(MethodConfig method) {
    return limits.mode() == RetrySettings.Mode.ENABLED && method.furtherAttempts().isPresent();
  }

  public ServiceConfig config() {
    return config;
  }

  /** What it says about a method. The first of several methods with the same name decides. */
  public MethodSettings of(MethodDescriptor<?, ?> method) {
    if (sameForAll.isPresent()) {
      return sameForAll.get();
    }
    String name = method.fullMethodName();
    MethodSettings known = methods.get(name);
    if (known != null) {
      return known;
    }
    MethodConfig found = config.methodConfig(name);
    MethodSettings made = new MethodSettings(found, attempts(method, found));
    if (methods.size() < MAX_METHODS) { // or a few more, if threads add at once
      methods.put(name, made);
    }
    return made;
  }

  /**
   * Chooses the policy for the further attempts of a method's calls. A rule that depends on the
   * method, such as its {@link MethodDescriptor#idempotency}, belongs here.
   */
  private Optional<AttemptPolicy> attempts(MethodDescriptor<?, ?> method, MethodConfig found) {
    if (!mayHaveAttempts(found)) {
      return Optional.empty();
    }
    FurtherAttempts policy = found.furtherAttempts().orElseThrow();
    if (policy instanceof RetryPolicy retry) { // a switch over types is slow when it runs first
      return Optional.of(new AttemptPolicy.Retries(retry, limits.maxAttempts(), throttle));
    }
    HedgingPolicy hedging = (HedgingPolicy) policy;
    Optional<ResponseTimes> times = learnt.of(method.fullMethodName(), hedging);
    return Optional.of(
        new AttemptPolicy.Hedges(hedging, limits.maxHedgedAttempts(), throttle, times));
  }
}
