package dev.gannet.client.balancer;

import dev.gannet.api.engine.PluginName;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The policies that can be chosen by name. */
final class KnownPolicies {
  private static final List<LoadBalancerProvider> BUILT_IN =
      List.of(
          LoadBalancerProvider.pickFirst(),
          LoadBalancerProvider.roundRobin(),
          LoadBalancerProvider.leastRequest(LeastRequest.DEFAULT_CHOICES),
          LoadBalancerProvider.weightedRoundRobin(WeightedRoundRobinSettings.DEFAULT),
          LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT),
          OutlierDetection.UNCONFIGURED,
          RandomSubsetting.UNCONFIGURED);

  private KnownPolicies() {}

  /** One for each name, in the order of the names. */
  static List<LoadBalancerProvider> all() {
    TreeMap<String, LoadBalancerProvider> byName = new TreeMap<>();
    Stream.concat(found(), BUILT_IN.stream())
        .sorted(Comparator.comparingInt(LoadBalancerProvider::priority).reversed())
        .forEach(it -> byName.putIfAbsent(PluginName.of("policyName()", it, it::policyName), it));
    return List.copyOf(byName.values());
  }

  private static Stream<LoadBalancerProvider> found() {
    return ServiceLoader.load(
            LoadBalancerProvider.class, LoadBalancerProvider.class.getClassLoader())
        .stream()
        .map(ServiceLoader.Provider::get);
  }
}
