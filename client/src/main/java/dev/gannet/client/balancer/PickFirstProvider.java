package dev.gannet.client.balancer;

/** Makes {@code pick_first}. */
final class PickFirstProvider implements LoadBalancerProvider {
  @Override
  public String policyName() {
    return "pick_first";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return new PickFirst(context);
  }
}
