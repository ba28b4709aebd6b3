package dev.gannet.client.balancer;

import dev.gannet.api.engine.PluginName;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The policies that can be chosen by name. */
final class KnownPolicies {
  private static final Logger LOG = System.getLogger(KnownPolicies.class.getName());

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
        ServiceLoader.load(LoadBalancerProvider.class, LoadBalancerProvider.class.getClassLoader())
            .stream());
  }

  /** The found policies and the built-in ones. One that cannot be used does not hide the others. */
  static List<LoadBalancerProvider> all(
      Stream<? extends Supplier<? extends LoadBalancerProvider>> found) {
    TreeMap<String, LoadBalancerProvider> byName = new TreeMap<>();
    Stream.concat(found.flatMap(it -> usable(it).stream()), BUILT_IN.stream().map(Named::of))
        .sorted(Comparator.comparingInt(Named::priority).reversed())
        .forEach(it -> byName.putIfAbsent(it.name(), it.provider()));
    return List.copyOf(byName.values());
  }

  private static Optional<Named> usable(Supplier<? extends LoadBalancerProvider> found) {
    try {
      return Optional.of(Named.of(found.get()));
    } catch (RuntimeException | ServiceConfigurationError e) {
      GuardedLog.warn(
          LOG,
          "a load-balancing policy that ServiceLoader finds cannot be used: " + ThrowableText.of(e),
          e);
      return Optional.empty();
    }
  }
}
