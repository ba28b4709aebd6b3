package dev.gannet.client.balancer;

import java.util.List;

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
   * Addresses of IPv6 and IPv4 take turns; one that takes longer than 250 ms to connect gets the
   * next as company (gRFC A61).
   */
  static LoadBalancerProvider pickFirst() {
    return pickFirst(AddressOrder.AS_RESOLVED);
  }

  /** {@code pick_first} that tries the endpoints in that order. */
  static LoadBalancerProvider pickFirst(AddressOrder order) {
    return new BuiltInPolicy(
        "pick_first", List.of(order), context -> new PickFirst(context, order));
  }

  /** {@code round_robin}: a connection to each endpoint, and each call goes to the next one. */
  static LoadBalancerProvider roundRobin() {
    return new BuiltInPolicy("round_robin", List.of(), RoundRobin::over);
  }

  /**
   * {@code least_request_experimental}: a connection to each endpoint. Of some that are drawn by
   * chance, a call goes to the one with the fewest calls under way over this channel (gRFC A48).
   *
   * @param choices how many are drawn; gRPC's default is 2, more than 10 are taken as 10
   * @throws IllegalArgumentException if it is less than 2
   */
  static LoadBalancerProvider leastRequest(int choices) {
    return LeastRequest.provider(choices);
  }

  /**
   * {@code weighted_round_robin} by the reports that servers of gRPC send with each call ({@link
   * LoadReports#ofTrailers}).
   */
  static LoadBalancerProvider weightedRoundRobin(WeightedRoundRobinSettings settings) {
    return weightedRoundRobin(settings, LoadReports.ofTrailers());
  }

  /**
   * {@code weighted_round_robin}: a connection to each endpoint, and each has calls in its turn, as
   * often as by its reports it can serve them (gRFC A58). Endpoints that report nothing have as
   * many as the mean of the others; while fewer than two report, all have the same.
   *
   * @param reports reads what servers report
   */
  static LoadBalancerProvider weightedRoundRobin(
      WeightedRoundRobinSettings settings, LoadReports reports) {
    return WeightedRoundRobin.provider(settings, reports);
  }

  /**
   * {@code ring_hash_experimental}: calls of one hash go to one endpoint, and few of them move when
   * endpoints come and go (gRFC A42, A76). Endpoints are connected to when a call needs them.
   */
  static LoadBalancerProvider ringHash(RingHashSettings settings) {
    return new BuiltInPolicy(
        "ring_hash_experimental", List.of(settings), context -> new RingHash(context, settings));
  }

  /**
   * {@code outlier_detection_experimental}: takes endpoints out for a while that fail more calls
   * than others (gRFC A50).
   *
   * @param child spreads the calls over the others; one with a connection to each endpoint
   */
  static LoadBalancerProvider outlierDetection(
      OutlierDetectionSettings settings, LoadBalancerProvider child) {
    return OutlierDetection.provider(settings, child);
  }

  /**
   * {@code random_subsetting_experimental}: shows its child so many of the endpoints, by chance
   * (gRFC A68): for many clients of many servers.
   *
   * @throws IllegalArgumentException if the size is not positive
   */
  static LoadBalancerProvider randomSubsetting(int size, LoadBalancerProvider child) {
    return RandomSubsetting.provider(size, child);
  }
}
