package dev.gannet.client.resolver;

/** Makes resolvers for {@code dns:///host:port}. */
final class DnsResolverProvider implements NameResolverProvider {
  @Override
  public String scheme() {
    return Target.DNS;
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public String authority(Target target) {
    return hostPort(target).toString();
  }

  @Override
  public String describe(Target target) {
    return authority(target);
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new DnsResolver(hostPort(target), context);
  }

  private static HostPort hostPort(Target target) {
    if (!target.authority().isEmpty()) {
      throw new IllegalArgumentException(
          "a DNS server of one's own is not supported: '" + target + "'");
    }
    try {
      return HostPort.parse(target.endpoint());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a target (host:port, dns:///host:port, [IPv6]:port, or scheme:... of a resolver that"
              + " is registered): '"
              + target.endpoint()
              + "'",
          e);
    }
  }
}
