package dev.gannet.resolver.dns;

import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.FixedEndpoints;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Creates resolvers that send queries to DNS servers: for {@code dns:///host:port} to those of the
 * system, for {@code dns://192.0.2.53:5353/host:port} to that server only (port 53 by default; IPv6
 * addresses in brackets). Each address of the A and AAAA records is an endpoint; they are ordered
 * by RFC 6724. Immutable: each {@code with...} method returns another provider.
 *
 * <p>If this module is on the class path or module path, {@code ServiceLoader} finds a provider
 * with the defaults, which resolves all {@code dns} targets instead of the lookup of the JDK. For
 * other settings, give the provider to the channel: {@code
 * ManagedChannelBuilder.addNameResolver(new DnsNameResolverProvider().withTtlRefresh())}. To use
 * the lookup of the JDK: {@code addNameResolver(NameResolverProvider.dns())}.
 *
 * <p>A name is looked up when the channel asks, such as after it has lost a connection, but not
 * within {@link #withMinTimeBetweenLookUps} of the last answer: what is known is repeated then, and
 * the look-up follows when that time is over. Names of the hosts file ({@code /etc/hosts}) and the
 * search list of {@code /etc/resolv.conf} count where the system's servers are asked. Nothing is
 * looked up for IP addresses, nor for {@code localhost}.
 *
 * <p>All look-ups of the process share a thread of their own; no event loop of a connection and no
 * caller waits for one.
 */
public final class DnsNameResolverProvider implements NameResolverProvider {
  private static final int PRIORITY = 5;
  private static final NameResolverProvider BUILT_IN = NameResolverProvider.dns();

  private final LookUpSettings settings;

  /** The defaults: looks a name up when the channel asks for it, and reads no service config. */
  public DnsNameResolverProvider() {
    this(LookUpSettings.DEFAULT);
  }

  private DnsNameResolverProvider(LookUpSettings settings) {
    this.settings = settings;
  }

  /**
   * Also looks each name up again when the TTL of its records has expired, so that new servers are
   * found while the old ones still work. Not before {@link #withMinTimeBetweenLookUps} has passed,
   * and at least once per day.
   */
  public DnsNameResolverProvider withTtlRefresh() {
    return new DnsNameResolverProvider(settings.withTtlRefresh());
  }

  /**
   * Takes the service config from the TXT record {@code _grpc_config.<host>} (gRFC A2): it uses the
   * first choice of the record whose {@code clientLanguage} ({@code java}), {@code percentage} and
   * {@code clientHostname} match. Each channel draws its percentile once, at random. The record may
   * have at most 65,535 bytes. A malformed record is an invalid config, and does not replace a
   * config that is already known. Off by default, and for names that are left to an HTTP proxy
   * ({@code ManagedChannelBuilder.proxy}).
   */
  public DnsNameResolverProvider withServiceConfig() {
    return withServiceConfig(List.of());
  }

  /**
   * Takes the service config from the TXT record as {@link #withServiceConfig()} does. Its {@code
   * loadBalancingConfig} may name these policies besides those that {@link java.util.ServiceLoader}
   * finds.
   */
  public DnsNameResolverProvider withServiceConfig(List<LoadBalancerProvider> policies) {
    return new DnsNameResolverProvider(settings.withConfigPolicies(List.copyOf(policies)));
  }

  /**
   * The shortest time between an answer and the next look-up of the name; 30 seconds by default. A
   * look-up that has failed may be followed by another at once: the channel waits in between.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public DnsNameResolverProvider withMinTimeBetweenLookUps(Duration time) {
    return new DnsNameResolverProvider(
        settings.withMinTime(positive("the time between look-ups", time)));
  }

  /**
   * How long a server may take to answer a query; 5 seconds by default. A server that does not
   * answer in time is asked once more, after the others. A whole look-up takes at most four times
   * that long.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public DnsNameResolverProvider withQueryTimeout(Duration timeout) {
    return new DnsNameResolverProvider(
        settings.withQueryTimeout(positive("the timeout of a query", timeout)));
  }

  /**
   * How many addresses a name may have; 1,024 by default. A look-up that finds more has failed.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public DnsNameResolverProvider withMaxAddresses(int addresses) {
    if (addresses < 1) {
      throw new IllegalArgumentException("maxAddresses must be positive: " + addresses);
    }
    return new DnsNameResolverProvider(settings.withMaxAddresses(addresses));
  }

  private static Duration positive(String what, Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException(what + " must be positive: " + time);
    }
    return time;
  }

  @Override
  public String scheme() {
    return Target.DNS;
  }

  /** Before the built-in provider, and before others that do not say that they are better. */
  @Override
  public int priority() {
    return PRIORITY;
  }

  /** The authority is that of the built-in provider; whose servers are asked is no part of it. */
  @Override
  public String authority(Target target) {
    DnsTarget.of(target);
    return BUILT_IN.authority(withoutServer(target));
  }

  @Override
  public String describe(Target target) {
    return target.authority().isEmpty() ? BUILT_IN.describe(target) : target.toString();
  }

  private static Target withoutServer(Target target) {
    return Target.parse(Target.DNS + ":///" + Target.encoded(target.endpoint()), scheme -> true);
  }

  @Override
  public boolean bringsServiceConfig() {
    return settings.configPolicies().isPresent();
  }

  @Override
  public boolean leavesNamesToProxy() {
    return true;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    DnsTarget parsed = DnsTarget.of(target);
    Optional<InetAddress> literal = IpAddresses.parse(parsed.host());
    if (literal.isPresent()) {
      InetSocketAddress address = new InetSocketAddress(literal.get(), parsed.port());
      return FixedEndpoints.of(List.of(Endpoint.of(address)), this).create(target, context);
    }
    return new NettyDnsResolver(parsed, settings, new ResolverEnvironment(context));
  }

  @Override
  public String toString() {
    return "DnsNameResolverProvider[" + settings + "]";
  }
}
