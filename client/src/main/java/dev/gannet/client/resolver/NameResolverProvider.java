package dev.gannet.client.resolver;

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

  /** A resolver that has not started. */
  NameResolver create(Target target, NameResolver.Context context);

  /** The resolver for {@code dns:///host:port}: the JDK's look-up, each address an endpoint. */
  static NameResolverProvider dns() {
    return new DnsResolverProvider();
  }
}
