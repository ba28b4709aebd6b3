package dev.gannet.client.resolver;

import java.time.Duration;
import java.util.Optional;

/**
 * Creates the resolvers for one scheme of targets. Set by {@code
 * ManagedChannelBuilder.addNameResolver}, or found by {@link java.util.ServiceLoader}. Safe for all
 * threads. For applications to implement; new methods will have a default.
 */
public interface NameResolverProvider {
  /**
   * The scheme of its targets, in lower case: {@code dns} in {@code dns:///host:port}. A provider
   * with another kind of text is refused by the builder, and skipped with a warning if {@code
   * ServiceLoader} finds it.
   */
  String scheme();

  /**
   * If {@code ServiceLoader} finds several providers for a scheme, the one with the highest
   * priority is used; the built-in ones have 0. A provider that was given to the builder has
   * priority over all.
   */
  default int priority() {
    return 1;
  }

  /**
   * The {@code :authority} of calls to a target, and the name that the server's certificate must
   * contain, unless the channel's builder sets another. By default the path without its first
   * slash.
   *
   * @throws IllegalArgumentException if it is not a target of this scheme
   */
  default String authority(Target target) {
    return target.endpoint();
  }

  /** The text for a target in statuses. By default its original text. */
  default String describe(Target target) {
    return target.toString();
  }

  /**
   * Whether its resolvers may provide a service config ({@code ServiceConfig.addTo}) or a config
   * selector ({@code ConfigSelector.addTo}); otherwise both are ignored. If so, timeouts, limits
   * and retries of a channel's first calls are determined when it is known.
   */
  default boolean bringsServiceConfig() {
    return true;
  }

  /**
   * Whether a channel with an HTTP proxy leaves the name to the proxy, in place of this resolver.
   * True for the resolvers of {@code dns} that only look names up. By default false: a proxy that
   * the JVM's settings name is not used, and one that was given to the builder connects to the
   * addresses that this resolver finds.
   */
  default boolean leavesNamesToProxy() {
    return false;
  }

  /** Creates a resolver that has not started. */
  NameResolver create(Target target, NameResolver.Context context);

  /**
   * The resolver for {@code dns:///host:port}, with default port 443: uses the JDK's lookup, each
   * address is an endpoint. It looks up names when the channel requests it, for example when a
   * connection is lost.
   */
  static NameResolverProvider dns() {
    return new DnsResolverProvider(Optional.empty());
  }

  /**
   * The resolver for {@code dns:///host:port} that also looks up names again at this interval: so
   * new servers are found while others still work. The JDK caches answers for 30 s by default
   * ({@code networkaddress.cache.ttl}), so a shorter interval has no effect.
   *
   * @throws IllegalArgumentException if the time is not positive
   */
  static NameResolverProvider dns(Duration each) {
    if (!each.isPositive()) {
      throw new IllegalArgumentException("the time between lookups must be positive: " + each);
    }
    return new DnsResolverProvider(Optional.of(each));
  }

  /**
   * The resolver for {@code ipv4:192.0.2.1:5001,192.0.2.2:5002}: each listed address is an
   * endpoint, with default port 443.
   */
  static NameResolverProvider ipv4() {
    return new AddressListProvider(AddressListProvider.Family.IPV4);
  }

  /**
   * The resolver for {@code ipv6:[2001:db8::1]:5001,[2001:db8::2]:5002}: each listed address is an
   * endpoint, with default port 443.
   */
  static NameResolverProvider ipv6() {
    return new AddressListProvider(AddressListProvider.Family.IPV6);
  }

  /**
   * The resolver for {@code unix:relative/path} and {@code unix:///absolute/path}: the Unix domain
   * socket of that file. {@code :authority} is {@code localhost}, because a path is not a valid
   * authority.
   */
  static NameResolverProvider unix() {
    return new UnixPathProvider();
  }
}
