package dev.gannet.client;

import dev.gannet.api.CallOptions;
import dev.gannet.api.engine.PluginName;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.transport.FoundPlugins;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * The available resolvers and policies: those given to the builder, those found by {@link
 * ServiceLoader}, and the built-in ones.
 */
final class Plugins {
  private static final ClassLoader LOADER = Plugins.class.getClassLoader();
  private static final String KIND = "a resolver";
  private static final List<NameResolverProvider> RESOLVERS =
      List.of(
          NameResolverProvider.dns(),
          NameResolverProvider.ipv4(),
          NameResolverProvider.ipv6(),
          NameResolverProvider.unix());

  private Plugins() {}

  /** A target, and its resolver. */
  record ResolvedTarget(Target target, NameResolverProvider resolvers) {
    /**
     * The {@code :authority} according to its resolver.
     *
     * @throws IllegalArgumentException if it is not a target for that resolver
     */
    String authority() {
      return CallOptions.DEFAULT
          .withAuthority(resolvers.authority(target))
          .authority()
          .orElseThrow();
    }
  }

  /**
   * Parses a target.
   *
   * @param first resolvers that have priority over all others, the most important one first
   */
  static ResolvedTarget targetOf(String text, List<NameResolverProvider> first) {
    return targetOf(text, first, ServiceLoader.load(NameResolverProvider.class, LOADER));
  }

  static ResolvedTarget targetOf(
      String text, List<NameResolverProvider> first, Iterable<NameResolverProvider> found) {
    Map<String, NameResolverProvider> byScheme = resolvers(first, found);
    Target target = Target.parse(text, byScheme::containsKey);
    return new ResolvedTarget(target, Objects.requireNonNull(byScheme.get(target.scheme())));
  }

  /** A host and port as a target of {@code dns}. */
  static ResolvedTarget targetOf(HostPort hostPort, List<NameResolverProvider> first) {
    String host = hostPort.host();
    String bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return targetOf("dns:///" + Target.encoded(bracketed) + ":" + hostPort.port(), first);
  }

  /** An address as a target that needs no resolution. */
  static ResolvedTarget targetOf(SocketAddress address) {
    AddressResolverProvider resolvers = new AddressResolverProvider(address);
    Target target = Target.parse(resolvers.scheme() + ":" + address, scheme -> true);
    return new ResolvedTarget(target, resolvers);
  }

  /**
   * The policy with this name.
   *
   * @throws IllegalArgumentException if there is none, or if it needs settings
   */
  static LoadBalancerProvider policy(String name) {
    List<LoadBalancerProvider> known = LoadBalancerProvider.known();
    return usable(
        known.stream()
            .filter(it -> it.policyName().equals(name))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "unknown load-balancing policy '"
                        + name
                        + "'; known are "
                        + known.stream()
                            .map(LoadBalancerProvider::policyName)
                            .collect(Collectors.joining(", ")))));
  }

  /**
   * The provider, if it has a name and all settings that it needs.
   *
   * @throws IllegalArgumentException if it has not
   */
  static LoadBalancerProvider usable(LoadBalancerProvider provider) {
    String name = PluginName.of("policyName()", provider, provider::policyName);
    if (provider.needsConfig()) {
      throw new IllegalArgumentException(
          "the load-balancing policy "
              + name
              + " needs settings: use a provider that has them, or a service config");
    }
    return provider;
  }

  /** Resolvers that {@code ServiceLoader} finds come before built-in ones of equal priority. */
  private static Map<String, NameResolverProvider> resolvers(
      List<NameResolverProvider> first, Iterable<NameResolverProvider> found) {
    Map<String, NameResolverProvider> byScheme = new HashMap<>();
    for (NameResolverProvider each : FoundPlugins.in(found, KIND)) {
      try {
        keepTheMoreImportant(byScheme, schemeOf(each), each);
      } catch (RuntimeException | LinkageError e) {
        FoundPlugins.onUnusable(KIND, e);
      }
    }
    for (NameResolverProvider own : RESOLVERS) {
      keepTheMoreImportant(byScheme, own.scheme(), own);
    }
    for (NameResolverProvider given : first.reversed()) {
      byScheme.put(schemeOf(given), given);
    }
    return byScheme;
  }

  private static void keepTheMoreImportant(
      Map<String, NameResolverProvider> byScheme, String scheme, NameResolverProvider next) {
    NameResolverProvider before = byScheme.get(scheme);
    if (before == null || next.priority() > before.priority()) {
      byScheme.put(scheme, next);
    }
  }

  /**
   * The scheme of a provider, which may be anybody's.
   *
   * @throws IllegalArgumentException if no target can have it
   */
  static String schemeOf(NameResolverProvider provider) {
    String scheme = PluginName.of("scheme()", provider, provider::scheme);
    boolean isScheme = scheme.indexOf(':') < 0 && Target.hasScheme(scheme + ":");
    if (!isScheme || !scheme.equals(scheme.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "scheme() of "
              + provider.getClass().getName()
              + " returned '"
              + scheme
              + "'; a scheme is a letter and then letters, digits, '+', '-' and '.', in lower case");
    }
    return scheme;
  }
}
