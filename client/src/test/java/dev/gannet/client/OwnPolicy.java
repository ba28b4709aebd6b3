package dev.gannet.client;

import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import java.util.function.Function;

/** A policy that a test makes itself. */
record OwnPolicy(Function<LoadBalancer.Context, LoadBalancer> maker)
    implements LoadBalancerProvider {
  /** {@code pick_first}, with a context that the test stands before its own. */
  static OwnPolicy pickFirst(Function<LoadBalancer.Context, LoadBalancer.Context> before) {
    return new OwnPolicy(context -> LoadBalancerProvider.pickFirst().create(before.apply(context)));
  }

  @Override
  public String policyName() {
    return "mine";
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return maker.apply(context);
  }
}
