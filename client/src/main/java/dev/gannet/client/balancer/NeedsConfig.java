package dev.gannet.client.balancer;

import java.util.function.Function;

/**
 * A policy of this package without the settings that it needs: it gets them from a service config.
 *
 * @param reader the policy with the settings of a service config
 */
record NeedsConfig(String policyName, Function<PolicyConfig, LoadBalancerProvider> reader)
    implements LoadBalancerProvider {
  @Override
  public int priority() {
    return 0;
  }

  @Override
  public boolean needsConfig() {
    return true;
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    throw new IllegalStateException(policyName + " needs settings");
  }

  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    return reader.apply(config);
  }

  @Override
  public String toString() {
    return policyName;
  }
}
