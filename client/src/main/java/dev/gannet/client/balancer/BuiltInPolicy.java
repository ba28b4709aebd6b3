package dev.gannet.client.balancer;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A policy of this package with its settings. Equal to another one with the same name and settings,
 * so that a service config with the same policy changes nothing.
 */
final class BuiltInPolicy implements LoadBalancerProvider {
  private final String policyName;
  private final List<Object> settings;
  private final Function<LoadBalancer.Context, LoadBalancer> maker;
  private final Function<PolicyConfig, LoadBalancerProvider> reader;
  private final boolean distributesCalls;

  /**
   * A policy that distributes calls.
   *
   * @param settings values that distinguish policies with the same name
   * @param reader the same policy with the settings of a service config
   */
  BuiltInPolicy(
      String policyName,
      List<Object> settings,
      Function<LoadBalancer.Context, LoadBalancer> maker,
      Function<PolicyConfig, LoadBalancerProvider> reader) {
    this(policyName, settings, maker, reader, true);
  }

  /** A policy that may send all calls to one endpoint. */
  BuiltInPolicy(
      String policyName,
      List<Object> settings,
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
