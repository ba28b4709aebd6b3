package dev.gannet.client.balancer;

/**
 * Makes the policies of one name. Plugged in by {@code ManagedChannelBuilder.loadBalancer}, or
 * found by {@link java.util.ServiceLoader} and chosen by {@code
 * ManagedChannelBuilder.defaultLoadBalancingPolicy}. Safe for all threads.
 */
public interface LoadBalancerProvider {
  /** What the policy is called, such as {@code round_robin}. */
  String policyName();

  /**
   * Of several providers that {@code ServiceLoader} finds for a name, the one with the highest
   * priority is used; the built-in ones have 0.
   */
  default int priority() {
    return 1;
  }

  /** A policy for one channel that has been told nothing yet. */
  LoadBalancer create(LoadBalancer.Context context);

  /**
   * {@code pick_first}: one connection, to the first address that can be connected to (gRFC A62).
   */
  static LoadBalancerProvider pickFirst() {
    return new PickFirstProvider();
  }
}
