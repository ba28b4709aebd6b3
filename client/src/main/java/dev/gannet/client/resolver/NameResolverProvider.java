package dev.gannet.client.resolver;

import java.time.Duration;
import java.util.Optional;

/**
 * Makes the resolvers for one scheme of targets. Plugged in by {@code
 * ManagedChannelBuilder.nameResolver}, or found by {@link java.util.ServiceLoader}. Safe for all
 * threads.
 */
public interface NameResolverProvider {
  /** The scheme of its targets, in lower case: {@code dns} in {@code dns:///host:port}. */
  String scheme();

  /**
   * Of several providers that {@code ServiceLoader} finds for a scheme, the one with the highest
   * priority is asked; the built-in ones have 0. One that the builder was given comes before all.
   */
  default int priority() {
    return 1;
  }

  /**
   * The {@code :authority} of calls to that target, and the name that the server's certificate must
   * have, unless the channel's builder says otherwise. By default the path without its first slash.
   *
   * @throws IllegalArgumentException if it is not a target of this scheme
   */
  default String authority(Target target) {
    return target.endpoint();
  }

  /** How the target is called in statuses. By default as it was written. */
  default String describe(Target target) {
    return target.toString();
  }

  /**
   * Whether its resolvers may bring a service config ({@code ServiceConfig.addTo}). If so, the
   * first calls of a channel wait with their timeouts, limits and retries until it is known.
   */
  default boolean bringsServiceConfig() {
    return true;
  }

  /** A resolver that has not started. */
  NameResolver create(Target target, NameResolver.Context context);

  /**
   * The resolver for {@code dns:///host:port}, with port 443 where none is named: the JDK's
   * look-up, each address an endpoint. It looks names up when it is asked to, such as when a
   * connection is lost.
   */
  static NameResolverProvider dns() {
    return new DnsResolverProvider(Optional.empty());
  }

  /**
   * The same, and it looks names up anew that long after each look-up: servers that are added are
   * found while the others go on. The JDK remembers answers for 30 s by default ({@code
   * networkaddress.cache.ttl}), so that a shorter time finds nothing new.
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
   * The resolver for {@code ipv4:192.0.2.1:5001,192.0.2.2:5002}: the addresses that the target
   * lists, each an endpoint, with port 443 where none is named.
   */
  static NameResolverProvider ipv4() {
    return new AddressListProvider(AddressListProvider.Family.IPV4);
  }

  /** The resolver for {@code ipv6:[2001:db8::1]:5001,[2001:db8::2]:5002}, likewise. */
  static NameResolverProvider ipv6() {
    return new AddressListProvider(AddressListProvider.Family.IPV6);
  }

  /**
   * The resolver for {@code unix:relative/path} and {@code unix:///absolute/path}: the Unix domain
   * socket of that file. {@code :authority} is {@code localhost}, as a path is none.
   */
  static NameResolverProvider unix() {
    return new UnixPathProvider();
  }
}
