package dev.gannet.client;

import dev.gannet.api.CallOptions;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The resolvers and policies that there are: given to the builder, found by {@link ServiceLoader},
 * and built in.
 */
final class Plugins {
  private static final ClassLoader LOADER = Plugins.class.getClassLoader();
  private static final List<LoadBalancerProvider> POLICIES =
      List.of(
          LoadBalancerProvider.pickFirst(),
          LoadBalancerProvider.roundRobin(),
          LoadBalancerProvider.leastRequest(2),
          LoadBalancerProvider.weightedRoundRobin(WeightedRoundRobinSettings.DEFAULT),
          LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT));
  private static final List<NameResolverProvider> RESOLVERS =
      List.of(
          NameResolverProvider.dns(),
          NameResolverProvider.ipv4(),
          NameResolverProvider.ipv6(),
          NameResolverProvider.unix());

  private Plugins() {}

  /** A target, and who resolves it. */
  record ResolvedTarget(Target target, NameResolverProvider resolvers) {
    /**
     * The {@code :authority} that its resolver gives it.
     *
     * @throws IllegalArgumentException if it is no target for that resolver
     */
    String authority() {
      return CallOptions.DEFAULT
          .withAuthority(resolvers.authority(target))
          .authority()
          .orElseThrow();
    }
  }

  /**
   * Takes a target apart.
   *
   * @param first those that come before all others, the most important one first
   */
  static ResolvedTarget targetOf(String text, List<NameResolverProvider> first) {
    List<NameResolverProvider> all = new ArrayList<>(first);
    with(RESOLVERS, ServiceLoader.load(NameResolverProvider.class, LOADER))
        .sorted(Comparator.comparingInt(NameResolverProvider::priority).reversed())
        .forEach(all::add);
    Target target = Target.parse(text, scheme -> all.stream().anyMatch(it -> serves(it, scheme)));
    return new ResolvedTarget(
        target, all.stream().filter(it -> serves(it, target.scheme())).findFirst().orElseThrow());
  }

  /** That port of that host, as a target of {@code dns}. */
  static ResolvedTarget targetOf(HostPort hostPort, List<NameResolverProvider> first) {
    String host = hostPort.host();
    String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return targetOf("dns:///" + bracketed + ":" + hostPort.port(), first);
  }

  /** That address itself, which nobody has to resolve. */
  static ResolvedTarget targetOf(SocketAddress address) {
    AddressResolverProvider resolvers = new AddressResolverProvider(address);
    Target target = Target.parse(resolvers.scheme() + ":" + address, scheme -> true);
    return new ResolvedTarget(target, resolvers);
  }

  private static boolean serves(NameResolverProvider provider, String scheme) {
    return provider.scheme().equals(scheme);
  }

  /**
   * The policy of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static LoadBalancerProvider policy(String name) {
    return with(POLICIES, ServiceLoader.load(LoadBalancerProvider.class, LOADER))
        .filter(it -> it.policyName().equals(name))
        .max(Comparator.comparingInt(LoadBalancerProvider::priority))
        .orElseThrow(() ->
            new IllegalArgumentException(
                "there is no load-balancing policy '" + name + "' on the class path"));
  }

  private static <T> Stream<T> with(List<T> builtIn, ServiceLoader<T> found) {
    return Stream.concat(found.stream().map(ServiceLoader.Provider::get), builtIn.stream());
  }
}
