package dev.gannet.client.balancer;

import java.util.function.Function;

/** A policy of this package with its settings. */
record BuiltInPolicy(String policyName, Function<LoadBalancer.Context, LoadBalancer> maker)
    implements LoadBalancerProvider {
  @Override
  public int priority() {
    return 0;
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return maker.apply(context);
  }

  @Override
  public String toString() {
    return policyName;
  }
}
