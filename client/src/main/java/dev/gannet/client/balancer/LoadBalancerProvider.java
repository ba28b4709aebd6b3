package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import java.util.List;

/**
 * Creates the policies with one name. Given to {@code ManagedChannelBuilder.loadBalancer}, or found
 * by {@link java.util.ServiceLoader} and chosen there by its name. Safe for all threads. For
 * applications to implement; new methods will have a default.
 *
 * <p>Providers with the same settings must be equal. Each result of a resolver may name a provider.
 * One that does not equal the current one changes the settings of the running policy, if it has the
 * same class and name, and the policy {@linkplain LoadBalancer#onConfig can take them}; otherwise
 * it replaces the policy and all its connections.
 */
public interface LoadBalancerProvider {
  /**
   * The name of the policy, such as {@code round_robin}; never null. Builders and service configs
   * ask for it when they are given the provider, and refuse a provider that cannot say it by an
   * {@code IllegalArgumentException}.
   */
  String policyName();

  /**
   * If {@code ServiceLoader} finds several providers for a name, the one with the highest priority
   * is used; the built-in ones have 0.
   */
  default int priority() {
    return 1;
  }

  /** Creates a policy for one channel. */
  LoadBalancer create(LoadBalancer.Context context);

  /**
   * Gives the settings of this provider to a running policy, if they differ from those it has, by
   * {@link LoadBalancer#onConfig}. Called by the channel, and by policies that have a child, among
   * the policy's other events.
   *
   * <p>The default asks only a policy whose {@linkplain #creator creator} has the class and the
   * name of this one.
   *
   * @param policy is running
   * @param current created it, or has given it its settings last
   * @return whether the policy has the settings of this provider; if not, nothing has changed, and
   *     the policy is to be replaced
   */
  default boolean reconfigure(LoadBalancer policy, LoadBalancerProvider current) {
    LoadBalancerProvider creator = current.creator();
    return equals(creator)
        || (getClass().equals(creator.getClass())
            && policyName().equals(creator.policyName())
            && policy.onConfig(this));
  }

  /**
   * The provider whose policies this one returns: by default this one. A provider that returns the
   * policies of another one as they are, and differs from it in {@code equals} alone, returns that
   * one, and passes {@link #reconfigure} on to it.
   */
  default LoadBalancerProvider creator() {
    return this;
  }

  /**
   * Whether only {@link #configured} returns a provider that can create policies: then the policy
   * can be used in a service config, but not by its name alone.
   */
  default boolean needsConfig() {
    return false;
  }

  /**
   * Whether its policies distribute calls over several endpoints; true by default. {@code
   * pick_first} does not: all calls use one endpoint. {@link #outlierDetection} ejects nothing if
   * its child does not distribute calls. A provider that wraps another one extends {@link
   * ForwardingLoadBalancerProvider}.
   */
  default boolean distributesCalls() {
    return true;
  }

  /**
   * A provider of the same policy with the settings of a service config; settings that the config
   * does not contain are those of this provider. By default this provider: then the ones in the
   * config are ignored.
   *
   * @throws IllegalArgumentException if a setting is invalid, preferably made by {@link
   *     PolicyConfig#fault}; the channel then continues with its last service config, or its calls
   *     fail if it has none (gRFC A21)
   */
  default LoadBalancerProvider configured(PolicyConfig config) {
    return this;
  }

  /**
   * The policies that can be chosen by name, one for each name: those that {@code ServiceLoader}
   * finds now, and the built-in ones with gRPC's default settings; sorted by name. One that cannot
   * be used, for example because it has no name, is left out, and a warning says why.
   */
  static List<LoadBalancerProvider> known() {
    return KnownPolicies.all();
  }

  /**
   * {@code pick_first}: one connection, to the first address that can be reached (gRFC A62). IPv6
   * and IPv4 addresses alternate; if one takes longer than 250 ms to connect, the next one is tried
   * in parallel (gRFC A61).
   */
  static LoadBalancerProvider pickFirst() {
    return pickFirst(AddressOrder.AS_RESOLVED);
  }

  /** {@code pick_first} with this order of endpoints. */
  static LoadBalancerProvider pickFirst(AddressOrder order) {
    return PickFirst.provider(order);
  }

  /** {@code round_robin}: a connection to each endpoint, and each call goes to the next one. */
  static LoadBalancerProvider roundRobin() {
    return RoundRobin.provider();
  }

  /**
   * {@code least_request_experimental}: a connection to each endpoint. Some endpoints are chosen at
   * random, and a call uses the one with the fewest running calls of this channel (gRFC A48).
   *
   * @param choices the number of chosen endpoints; gRPC's default is 2, more than 10 is reduced to
   *     10
   * @throws IllegalArgumentException if it is less than 2
   */
  @Preview(until = "0.3")
  static LoadBalancerProvider leastRequest(int choices) {
    return LeastRequest.provider(choices);
  }

  /**
   * {@code weighted_round_robin} with the reports that gRPC servers send with each call ({@link
   * LoadReports#ofTrailers}).
   */
  static LoadBalancerProvider weightedRoundRobin(WeightedRoundRobinSettings settings) {
    return weightedRoundRobin(settings, LoadReports.ofTrailers());
  }

  /**
   * {@code weighted_round_robin}: a connection to each endpoint, and each gets calls in proportion
   * to the capacity that it reports (gRFC A58). Endpoints without reports get as many as the
   * average of the others; while fewer than two report, all get the same.
   *
   * @param reports reads the reports of servers
   */
  static LoadBalancerProvider weightedRoundRobin(
      WeightedRoundRobinSettings settings, LoadReports reports) {
    return WeightedRoundRobin.provider(settings, reports);
  }

  /**
   * {@code ring_hash_experimental}: calls with the same hash use the same endpoint, and only few of
   * them move when endpoints are added or removed (gRFC A42, A76). Endpoints are connected to when
   * a call needs them; {@code ManagedChannel.connect} connects to one of them.
   */
  @Preview(until = "0.3")
  static LoadBalancerProvider ringHash(RingHashSettings settings) {
    return RingHash.provider(settings);
  }

  /**
   * {@code outlier_detection_experimental}: temporarily ejects endpoints that fail more calls than
   * others (gRFC A50).
   *
   * @param child distributes the calls over the others; without an effect if it does not
   *     {@linkplain #distributesCalls distribute calls}
   */
  @Preview(until = "0.3")
  static LoadBalancerProvider outlierDetection(
      OutlierDetectionSettings settings, LoadBalancerProvider child) {
    return OutlierDetection.provider(settings, child);
  }

  /**
   * {@code random_subsetting_experimental}: passes a random subset of the endpoints to its child
   * (gRFC A68); for many clients of many servers.
   *
   * @throws IllegalArgumentException if the size is not positive
   */
  @Preview(until = "0.3")
  static LoadBalancerProvider randomSubsetting(int size, LoadBalancerProvider child) {
    return RandomSubsetting.provider(size, child);
  }
}
