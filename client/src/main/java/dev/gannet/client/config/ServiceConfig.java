package dev.gannet.client.config;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.engine.MethodNames;
import dev.gannet.api.engine.PluginName;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a service's owner provides for clients (gRFC A2): the load-balancing policy,
 * and timeouts, limits and retries by method. Set by {@code
 * ManagedChannelBuilder.defaultServiceConfig}, or by a resolver. Immutable.
 */
public final class ServiceConfig {
  /** A config without settings. */
  public static final ServiceConfig EMPTY = builder().build();

  private static final Attributes.Key<ServiceConfig> FOUND = Attributes.Key.of("service config");

  /** Where a selector is found beside the config. */
  static final Attributes.Key<ConfigSelector> SELECTOR = Attributes.Key.of("config selector");

  private static final Attributes.Key<Status> BAD = Attributes.Key.of("invalid service config");

  private final Map<String, MethodConfig> methods;
  private final Map<String, MethodConfig> services;
  private final MethodConfig others;
  private final Optional<RetryThrottling> retryThrottling;
  private final Optional<LoadBalancerProvider> loadBalancer;

  /** The name of that policy, which is asked for it once. */
  private final Optional<String> policyName;

  private final Optional<String> healthCheckService;
  private final OptionalInt maxConnectionsPerSubchannel;

  private ServiceConfig(Builder builder) {
    methods = joined(builder.keptMethods, builder.methods);
    services = joined(builder.keptServices, builder.services);
    others = builder.others.orElse(builder.keptOthers);
    retryThrottling = builder.retryThrottling;
    loadBalancer = builder.loadBalancer;
    policyName = builder.policyName;
    healthCheckService = builder.healthCheckService;
    maxConnectionsPerSubchannel = builder.maxConnectionsPerSubchannel;
  }

  private static Map<String, MethodConfig> joined(
      Map<String, MethodConfig> kept, Map<String, MethodConfig> added) {
    Map<String, MethodConfig> all = new HashMap<>(kept);
    all.putAll(added);
    return Map.copyOf(all);
  }

  /** A builder without settings. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A builder with the settings of this config. What is set for a method, a service or all methods
   * replaces what this config has for it.
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.keptMethods = methods;
    builder.keptServices = services;
    builder.keptOthers = others;
    builder.retryThrottling = retryThrottling;
    builder.loadBalancer = loadBalancer;
    builder.policyName = policyName;
    builder.healthCheckService = healthCheckService;
    builder.maxConnectionsPerSubchannel = maxConnectionsPerSubchannel;
    return builder;
  }

  /** Builds a config. Not safe for concurrent use. */
  public static final class Builder {
    private final Map<String, MethodConfig> methods = new HashMap<>();
    private final Map<String, MethodConfig> services = new HashMap<>();
    private Optional<MethodConfig> others = Optional.empty();

    /** The methods of the config that is changed: entries that are added replace these. */
    private Map<String, MethodConfig> keptMethods = Map.of();

    private Map<String, MethodConfig> keptServices = Map.of();
    private MethodConfig keptOthers = MethodConfig.EMPTY;
    private Optional<RetryThrottling> retryThrottling = Optional.empty();
    private Optional<LoadBalancerProvider> loadBalancer = Optional.empty();
    private Optional<String> policyName = Optional.empty();
    private Optional<String> healthCheckService = Optional.empty();
    private OptionalInt maxConnectionsPerSubchannel = OptionalInt.empty();

    private Builder() {}

    /**
     * Settings of one method; they have priority over those of its service.
     *
     * @param fullMethodName {@code package.Service/Method}, without a leading slash
     * @throws IllegalArgumentException if no {@link dev.gannet.api.MethodDescriptor} can have this
     *     name, or it was already added to this builder
     */
    public Builder forMethod(String fullMethodName, MethodConfig config) {
      Objects.requireNonNull(fullMethodName, "fullMethodName");
      putOnce(methods, MethodNames.checked(fullMethodName), config);
      return this;
    }

    /**
     * Like {@link #forMethod(String, MethodConfig)}.
     *
     * @throws IllegalArgumentException if its name was already added to this builder
     */
    public Builder forMethod(MethodDescriptor<?, ?> method, MethodConfig config) {
      return forMethod(Objects.requireNonNull(method, "method").fullMethodName(), config);
    }

    /**
     * Settings of all methods of a service that have none of their own.
     *
     * @param service {@code package.Service}, without slashes
     * @throws IllegalArgumentException if the name is empty or has a slash, or was already added to
     *     this builder
     */
    public Builder forService(String service, MethodConfig config) {
      if (Objects.requireNonNull(service, "service").isEmpty()) {
        throw new IllegalArgumentException("a service's name cannot be empty");
      }
      if (service.indexOf('/') >= 0) {
        throw new IllegalArgumentException("not a service's name (package.Service): " + service);
      }
      putOnce(services, service, config);
      return this;
    }

    private static void putOnce(Map<String, MethodConfig> all, String name, MethodConfig config) {
      if (all.putIfAbsent(name, Objects.requireNonNull(config, "config")) != null) {
        throw new IllegalArgumentException("methodConfig names " + name + " twice");
      }
    }

    /**
     * Settings of all methods that have no others.
     *
     * @throws IllegalArgumentException if they were already added to this builder
     */
    public Builder forAllMethods(MethodConfig config) {
      if (others.isPresent()) {
        throw new IllegalArgumentException("there are two default methodConfigs");
      }
      others = Optional.of(Objects.requireNonNull(config, "config"));
      return this;
    }

    /** When the channel stops retries and hedging. */
    public Builder retryThrottling(RetryThrottling throttling) {
      retryThrottling = Optional.of(Objects.requireNonNull(throttling, "throttling"));
      return this;
    }

    /**
     * The load-balancing policy ({@code loadBalancingConfig}). If a resolver provides a config with
     * another policy than the current one, by {@code equals}, calls use the current one until the
     * new one has a connection or fails to get one.
     *
     * @throws IllegalArgumentException if its {@link LoadBalancerProvider#policyName} is null, or
     *     cannot be read
     */
    public Builder loadBalancer(LoadBalancerProvider policy) {
      Objects.requireNonNull(policy, "policy");
      policyName = Optional.of(PluginName.of("policyName()", policy, policy::policyName));
      loadBalancer = Optional.of(policy);
      return this;
    }

    /**
     * Checks the health of this service on each server ({@code healthCheckConfig}, gRFC A17), and
     * sends calls only to servers that are SERVING, or that do not implement {@code
     * grpc.health.v1.Health}. Applies to policies with a connection to each endpoint; {@code
     * pick_first} alone does not check health.
     *
     * @param service {@code package.Service}; an empty text is the whole server
     */
    public Builder healthCheckService(String service) {
      healthCheckService = Optional.of(Objects.requireNonNull(service, "service"));
      return this;
    }

    /**
     * How many connections may carry calls to one address at a time ({@code connectionScaling},
     * gRFC A105), instead of the number of the channel's builder; more than 10 is reduced to 10. If
     * the resolver provides another number, it applies at once: calls that wait for a stream may
     * use further connections, or none is made any more. A lower number closes no connection.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxConnectionsPerSubchannel(int connections) {
      if (connections <= 0) {
        throw new IllegalArgumentException(
            "maxConnectionsPerSubchannel must be positive: " + connections);
      }
      maxConnectionsPerSubchannel = OptionalInt.of(connections);
      return this;
    }

    /** The config. */
    public ServiceConfig build() {
      return new ServiceConfig(this);
    }
  }

  /**
   * For resolvers: adds this config to a result; it overrides the channel's default. The resolver's
   * provider must declare that it may provide one ({@link
   * NameResolverProvider#bringsServiceConfig}).
   */
  public Resolution.Resolved addTo(Resolution.Resolved result) {
    return result.withAttributes(result.attributes().with(FOUND, this));
  }

  /**
   * For resolvers: marks a result as having an invalid config. The channel uses the previous one,
   * or else its default; if there is neither, the resolution has failed, and calls end with {@code
   * UNAVAILABLE} and this text.
   */
  public static Resolution.Resolved addInvalidTo(Resolution.Resolved result, Status why) {
    return result.withAttributes(result.attributes().with(BAD, why));
  }

  /** The service config in a resolver's result, if it is valid. */
  public static Optional<ServiceConfig> in(Resolution.Resolved result) {
    return result.attributes().get(FOUND);
  }

  /** Why the service config in a resolver's result is invalid. */
  public static Optional<Status> faultOf(Resolution.Resolved result) {
    return result.attributes().get(BAD);
  }

  /**
   * The settings for a method: its own, or else those of its service, or else those of all methods;
   * they are not merged.
   *
   * @param fullMethodName {@code package.Service/Method}
   */
  public MethodConfig methodConfig(String fullMethodName) {
    MethodConfig found = methods.get(fullMethodName);
    if (found == null && !services.isEmpty()) {
      found = services.get(fullMethodName.substring(0, fullMethodName.lastIndexOf('/')));
    }
    return found == null ? others : found;
  }

  /** Whether all methods have the same settings. */
  public boolean isSameForAllMethods() {
    return methods.isEmpty() && services.isEmpty();
  }

  /** When the channel stops retries and hedging; empty, the default, if never. */
  public Optional<RetryThrottling> retryThrottling() {
    return retryThrottling;
  }

  /** The load-balancing policy; empty if the channel's own is used. */
  public Optional<LoadBalancerProvider> loadBalancer() {
    return loadBalancer;
  }

  /** The service whose health is checked; empty if none is. */
  public Optional<String> healthCheckService() {
    return healthCheckService;
  }

  /** How many connections may carry calls to one address at a time; empty if the channel says. */
  public OptionalInt maxConnectionsPerSubchannel() {
    return maxConnectionsPerSubchannel;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ServiceConfig that
        && methods.equals(that.methods)
        && services.equals(that.services)
        && others.equals(that.others)
        && retryThrottling.equals(that.retryThrottling)
        && loadBalancer.equals(that.loadBalancer)
        && healthCheckService.equals(that.healthCheckService)
        && maxConnectionsPerSubchannel.equals(that.maxConnectionsPerSubchannel);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        methods,
        services,
        others,
        retryThrottling,
        loadBalancer,
        healthCheckService,
        maxConnectionsPerSubchannel);
  }

  @Override
  public String toString() {
    return "ServiceConfig["
        + policyName.map(it -> "loadBalancer=" + it + ", ").orElse("")
        + healthCheckService.map(it -> "healthCheckService=" + it + ", ").orElse("")
        + (maxConnectionsPerSubchannel.isPresent()
            ? "maxConnectionsPerSubchannel=" + maxConnectionsPerSubchannel.getAsInt() + ", "
            : "")
        + retryThrottling.map(it -> it + ", ").orElse("")
        + "methods="
        + methods // the long ones last: texts that show a config may be cut
        + ", services="
        + services
        + ", others="
        + others
        + "]";
  }
}
