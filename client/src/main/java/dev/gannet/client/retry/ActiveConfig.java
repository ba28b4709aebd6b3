package dev.gannet.client.retry;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodDescriptor.Idempotency;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.config.FurtherAttempts;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.settings.RetrySettings;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The service config that new calls use, and the retry tokens that belong to it. Safe for all
 * threads.
 */
public final class ActiveConfig {
  /**
   * The number of methods of one idempotency whose settings are kept, because names of methods may
   * come from outside. Those of others are looked up and made for each call: this costs time and
   * objects, but changes nothing for the call.
   */
  static final int MAX_METHODS = 1024;

  private static final String ANY_METHOD = "any.Service/AnyMethod";

  private final ServiceConfig config;
  private final Optional<ConfigSelector> selector;
  private final RetrySettings limits;
  private final RetryThrottle throttle;
  private final LearntDelays learnt;

  /** The settings of all methods, if they are the same and without a policy for attempts. */
  private final Optional<MethodSettings> sameForAll;

  /** By idempotency, then by name: a map of pairs would need a new object for each call. */
  private final Map<Idempotency, ConcurrentHashMap<String, MethodSettings>> methods =
      new EnumMap<>(Idempotency.class);

  /** A new config, without a selector. */
  public ActiveConfig(ServiceConfig config, RetrySettings limits, Optional<ActiveConfig> before) {
    this(config, Optional.empty(), limits, before);
  }

  /**
   * A new config. It keeps the throttle of the previous one if the throttling settings are the
   * same, and what was learnt of the latency of its methods.
   *
   * @param selector chooses the settings of each call, if present
   * @param before the previous one
   */
  public ActiveConfig(
      ServiceConfig config,
      Optional<ConfigSelector> selector,
      RetrySettings limits,
      Optional<ActiveConfig> before) {
    this.config = config;
    this.selector = selector;
    this.limits = limits;
    this.throttle =
        before.isPresent() && before.get().throttle.settings().equals(config.retryThrottling())
            ? before.get().throttle
            : new RetryThrottle(config.retryThrottling());
    this.learnt = before.isPresent() ? before.get().learnt : new LearntDelays();
    this.sameForAll =
        config.isSameForAllMethods()
            ? withoutAttempts(config.methodConfig(ANY_METHOD))
            : Optional.empty();
    for (Idempotency each : Idempotency.values()) {
      methods.put(each, new ConcurrentHashMap<>());
    }
  }

  /** Empty if the policy for attempts may differ from method to method. */
  private Optional<MethodSettings> withoutAttempts(MethodConfig method) {
    return mayHaveAttempts(method)
        ? Optional.empty()
        : Optional.of(new MethodSettings(method, Optional.empty(), throttle));
  }

  private boolean mayHaveAttempts(MethodConfig method) {
    return limits.mode() == RetrySettings.Mode.ENABLED && method.furtherAttempts().isPresent();
  }

  public ServiceConfig config() {
    return config;
  }

  /** What chooses the settings of each call; empty if they follow from its method. */
  public Optional<ConfigSelector> selector() {
    return selector;
  }

  /** Whether it is the same for calls as these two. */
  public boolean isOf(ServiceConfig otherConfig, Optional<ConfigSelector> otherSelector) {
    return config.equals(otherConfig) && selector.equals(otherSelector);
  }

  /** The settings of a call for which these were chosen. They are made for each call. */
  public MethodSettings withChosen(MethodConfig chosen, MethodDescriptor<?, ?> method) {
    return new MethodSettings(chosen, attempts(method, chosen), throttle);
  }

  /** What it says about a method: it depends on the name and the idempotency. */
  public MethodSettings of(MethodDescriptor<?, ?> method) {
    if (sameForAll.isPresent()) {
      return sameForAll.get();
    }
    String name = method.fullMethodName();
    ConcurrentHashMap<String, MethodSettings> alike =
        Objects.requireNonNull(methods.get(method.idempotency()));
    MethodSettings known = alike.get(name);
    if (known != null) {
      return known;
    }
    MethodConfig found = config.methodConfig(name);
    MethodSettings made = new MethodSettings(found, attempts(method, found), throttle);
    if (alike.size() < MAX_METHODS) { // or a few more, if threads add at once
      alike.put(name, made);
    }
    return made;
  }

  /**
   * Chooses the policy for the further attempts of a method's calls. A rule that depends on the
   * name of a method or its {@link MethodDescriptor#idempotency} belongs here; what it returns is
   * kept for other methods with the same ones.
   */
  private Optional<AttemptPolicy> attempts(MethodDescriptor<?, ?> method, MethodConfig found) {
    if (!mayHaveAttempts(found)) {
      return Optional.empty();
    }
    FurtherAttempts policy = found.furtherAttempts().orElseThrow();
    if (policy instanceof RetryPolicy retry) { // a switch over types is slow when it runs first
      return Optional.of(new AttemptPolicy.Retries(retry, limits.maxAttempts(), throttle));
    }
    if (policy instanceof HedgingPolicy hedging) {
      Optional<ResponseTimes> times = learnt.of(method.fullMethodName(), hedging);
      return Optional.of(
          new AttemptPolicy.Hedges(hedging, limits.maxHedgedAttempts(), throttle, times));
    }
    throw new IllegalStateException("no attempts are known for " + policy); // see ActiveConfigTest
  }
}
