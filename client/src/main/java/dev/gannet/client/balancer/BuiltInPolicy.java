package dev.gannet.client.balancer;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A policy of this package with its settings. Equal to another one with the same name and settings,
 * so that a service config with the same policy changes nothing.
 */
final class BuiltInPolicy implements LoadBalancerProvider {
  private final String policyName;
  private final Object settings;
  private final Function<LoadBalancer.Context, LoadBalancer> maker;
  private final Function<PolicyConfig, LoadBalancerProvider> reader;
  private final boolean distributesCalls;

  /**
   * A policy that distributes calls.
   *
   * @param settings a value that distinguishes policies with the same name, of a type of its own:
   *     what a running policy reads by {@link #settingsIn}
   * @param reader the same policy with the settings of a service config
   */
  BuiltInPolicy(
      String policyName,
      Object settings,
      Function<LoadBalancer.Context, LoadBalancer> maker,
      Function<PolicyConfig, LoadBalancerProvider> reader) {
    this(policyName, settings, maker, reader, true);
  }

  /** A policy that may send all calls to one endpoint. */
  BuiltInPolicy(
      String policyName,
      Object settings,
      Function<LoadBalancer.Context, LoadBalancer> maker,
      Function<PolicyConfig, LoadBalancerProvider> reader,
      boolean distributesCalls) {
    this.policyName = policyName;
    this.settings = settings;
    this.maker = maker;
    this.reader = reader;
    this.distributesCalls = distributesCalls;
  }

  @Override
  public String policyName() {
    return policyName;
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public boolean distributesCalls() {
    return distributesCalls;
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return maker.apply(context);
  }

  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    return reader.apply(config);
  }

  /** The settings of a provider of this package; empty if they are those of another policy. */
  static <T> Optional<T> settingsIn(LoadBalancerProvider provider, Class<T> type) {
    return provider instanceof BuiltInPolicy policy && type.isInstance(policy.settings)
        ? Optional.of(type.cast(policy.settings))
        : Optional.empty();
  }

  private List<Object> values() {
    return List.of(policyName, settings);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BuiltInPolicy that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return policyName;
  }
}
