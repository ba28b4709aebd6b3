package dev.gannet.client.balancer;

import dev.gannet.api.engine.PluginName;
import dev.gannet.transport.FoundPlugins;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The policies that can be chosen by name. */
final class KnownPolicies {
  private static final String KIND = "a load-balancing policy";

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

  /** A provider and what it has said, which is asked once. */
  private record Named(String name, int priority, LoadBalancerProvider provider) {
    static Named of(LoadBalancerProvider provider) {
      return new Named(
          PluginName.of("policyName()", provider, provider::policyName),
          provider.priority(),
          provider);
    }
  }

  /** One for each name, in the order of the names. */
  static List<LoadBalancerProvider> all() {
    return all(
        ServiceLoader.load(
            LoadBalancerProvider.class, LoadBalancerProvider.class.getClassLoader()));
  }

  /** The found policies and the built-in ones. One that cannot be used does not hide the others. */
  static List<LoadBalancerProvider> all(Iterable<LoadBalancerProvider> found) {
    TreeMap<String, LoadBalancerProvider> byName = new TreeMap<>();
    Stream.concat(
            FoundPlugins.in(found, KIND).stream().flatMap(it -> usable(it).stream()),
            BUILT_IN.stream().map(Named::of))
        .sorted(Comparator.comparingInt(Named::priority).reversed())
        .forEach(it -> byName.putIfAbsent(it.name(), it.provider()));
    return List.copyOf(byName.values());
  }

  private static Optional<Named> usable(LoadBalancerProvider found) {
    try {
      return Optional.of(Named.of(found));
    } catch (RuntimeException | LinkageError e) {
      FoundPlugins.onUnusable(KIND, e);
      return Optional.empty();
    }
  }
}
