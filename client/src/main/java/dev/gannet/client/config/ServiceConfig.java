package dev.gannet.client.config;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a service's owner wants of its clients (gRFC A2): how calls are balanced, and for which
 * methods which timeouts, limits and retries apply. Given to a channel by {@code
 * ManagedChannelBuilder.defaultServiceConfig}, or by its resolver. Immutable.
 */
public final class ServiceConfig {
  /** Says nothing. */
  public static final ServiceConfig EMPTY = builder().build();

  private static final Attributes.Key<ServiceConfig> FOUND = Attributes.Key.of("service config");
  private static final Attributes.Key<Status> BAD = Attributes.Key.of("bad service config");

  private final Map<String, MethodConfig> methods;
  private final Map<String, MethodConfig> services;
  private final MethodConfig others;
  private final Optional<RetryThrottling> retryThrottling;
  private final Optional<LoadBalancerProvider> loadBalancer;
  private final Optional<String> healthCheckService;
  private final OptionalInt maxConnectionsPerSubchannel;
  private final boolean hasAttemptPolicy;

  private ServiceConfig(Builder from) {
    methods = Map.copyOf(from.methods);
    services = Map.copyOf(from.services);
    others = from.others.orElse(MethodConfig.EMPTY);
    retryThrottling = from.retryThrottling;
    loadBalancer = from.loadBalancer;
    healthCheckService = from.healthCheckService;
    maxConnectionsPerSubchannel = from.maxConnectionsPerSubchannel;
    hasAttemptPolicy =
        Stream.of(methods.values().stream(), services.values().stream(), Stream.of(others))
            .flatMap(it -> it)
            .anyMatch(it -> it.retryPolicy().isPresent() || it.hedgingPolicy().isPresent());
  }

  /** One that says nothing. */
  public static Builder builder() {
    return new Builder();
  }

  /** What a config will say. Not for several threads at once. */
  public static final class Builder {
    private final Map<String, MethodConfig> methods = new HashMap<>();
    private final Map<String, MethodConfig> services = new HashMap<>();
    private Optional<MethodConfig> others = Optional.empty();
    private Optional<RetryThrottling> retryThrottling = Optional.empty();
    private Optional<LoadBalancerProvider> loadBalancer = Optional.empty();
    private Optional<String> healthCheckService = Optional.empty();
    private OptionalInt maxConnectionsPerSubchannel = OptionalInt.empty();

    private Builder() {}

    /**
     * For calls of one method, before what is said of its service.
     *
     * @param fullMethodName {@code package.Service/Method}
     * @throws IllegalArgumentException if the name has no slash inside, or was given before
     */
    public Builder forMethod(String fullMethodName, MethodConfig config) {
      int slash = fullMethodName.lastIndexOf('/');
      if (slash <= 0 || slash == fullMethodName.length() - 1) {
        throw new IllegalArgumentException(
            "not a full method name (package.Service/Method): " + fullMethodName);
      }
      putOnce(methods, fullMethodName, config);
      return this;
    }

    /**
     * For calls of all methods of a service of which nothing else is said.
     *
     * @param service {@code package.Service}
     * @throws IllegalArgumentException if the name is empty, or was given before
     */
    public Builder forService(String service, MethodConfig config) {
      if (service.isEmpty()) {
        throw new IllegalArgumentException("a service's name cannot be empty");
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
     * For calls of which nothing else is said.
     *
     * @throws IllegalArgumentException if it was given before
     */
    public Builder forAllMethods(MethodConfig config) {
      if (others.isPresent()) {
        throw new IllegalArgumentException("methodConfig has a default twice");
      }
      others = Optional.of(config);
      return this;
    }

    /** When the channel stops to retry and hedge. */
    public Builder retryThrottling(RetryThrottling throttling) {
      retryThrottling = Optional.of(throttling);
      return this;
    }

    /**
     * The policy that decides which connection a call uses ({@code loadBalancingConfig}). Where a
     * resolver brings a config with another policy than that in use, by {@code equals}, calls go by
     * the one before until the other has a connection or cannot get one.
     */
    public Builder loadBalancer(LoadBalancerProvider policy) {
      loadBalancer = Optional.of(policy);
      return this;
    }

    /**
     * Asks each server for the health of that service ({@code healthCheckConfig}, gRFC A17), and
     * sends calls only to servers that say SERVING, or do not know {@code grpc.health.v1.Health}.
     * Policies ask that have a connection to each endpoint; {@code pick_first} by itself does not.
     *
     * @param service {@code package.Service}; the empty text is the whole server
     */
    public Builder healthCheckService(String service) {
      healthCheckService = Optional.of(service);
      return this;
    }

    /**
     * How many connections may carry calls to one address at a time ({@code connectionScaling},
     * gRFC A105), instead of what the channel's builder says; more than 10 are taken as 10. Where a
     * resolver brings another number, it counts for connections that are made from then on; for an
     * address that may have one connection, once the address is resolved anew.
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
   * For resolvers: that result with this config, which counts instead of the channel's default. The
   * resolver's provider must say that it may bring one ({@link
   * NameResolverProvider#bringsServiceConfig}).
   */
  public Resolution.Resolved addTo(Resolution.Resolved result) {
    return result.withAttributes(result.attributes().with(FOUND, this));
  }

  /**
   * For resolvers: that result with a config that cannot be understood. The channel goes on with
   * the one before, or else with its default; if there is neither, the resolution has failed, and
   * calls end with {@code UNAVAILABLE} and these words.
   */
  public static Resolution.Resolved addBadTo(Resolution.Resolved result, Status why) {
    return result.withAttributes(result.attributes().with(BAD, why));
  }

  /** What a resolver has found, and understood. */
  public static Optional<ServiceConfig> of(Resolution.Resolved result) {
    return result.attributes().get(FOUND);
  }

  /** Why a resolver has not understood what it has found. */
  public static Optional<Status> faultOf(Resolution.Resolved result) {
    return result.attributes().get(BAD);
  }

  /**
   * What applies to calls of that method: of what is said of itself, of its service, or of all
   * methods, the first alone.
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

  /** Whether any method has a retry policy or a hedging policy. */
  public boolean hasAttemptPolicy() {
    return hasAttemptPolicy;
  }

  public Optional<RetryThrottling> retryThrottling() {
    return retryThrottling;
  }

  /** The policy that decides which connection a call uses; empty if the channel's own does. */
  public Optional<LoadBalancerProvider> loadBalancer() {
    return loadBalancer;
  }

  /** Whose health servers are asked for; empty if none is asked. */
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
    return "ServiceConfig[methods="
        + methods
        + ", services="
        + services
        + ", others="
        + others
        + retryThrottling.map(it -> ", " + it).orElse("")
        + loadBalancer.map(it -> ", loadBalancer=" + it.policyName()).orElse("")
        + healthCheckService.map(it -> ", healthCheckService=" + it).orElse("")
        + (maxConnectionsPerSubchannel.isPresent()
            ? ", maxConnectionsPerSubchannel=" + maxConnectionsPerSubchannel.getAsInt()
            : "")
        + "]";
  }
}
