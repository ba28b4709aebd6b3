package dev.gannet.client.resolver;

import java.time.Duration;
import java.util.Optional;

/**
 * Creates resolvers for {@code dns:///host:port}.
 *
 * @param each the interval at which names are looked up again without a request
 */
record DnsResolverProvider(Optional<Duration> each) implements NameResolverProvider {
  @Override
  public String scheme() {
    return Target.DNS;
  }

  @Override
  public int priority() {
    return 0;
  }

  /** Without the port if the target has none (gRPC Name Resolution). */
  @Override
  public String authority(Target target) {
    HostPort parsed = hostPort(target);
    String whole = parsed.toString();
    return HostPort.hasPort(target.endpoint()) ? whole : whole.substring(0, whole.lastIndexOf(':'));
  }

  @Override
  public String describe(Target target) {
    return authority(target);
  }

  @Override
  public boolean bringsServiceConfig() {
    return false;
  }

  @Override
  public boolean leavesNamesToProxy() {
    return true;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new DnsResolver(hostPort(target), each, context);
  }

  private static HostPort hostPort(Target target) {
    if (!target.authority().isEmpty()) {
      throw new IllegalArgumentException(
          "the target '"
              + target
              + "' names a DNS server, "
              + target.authority()
              + ": this needs the module gannet-resolver-dns; without a server, write dns:///host:port");
    }
    return HostPort.of(target);
  }
}
