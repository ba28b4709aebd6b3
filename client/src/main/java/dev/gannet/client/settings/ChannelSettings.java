package dev.gannet.client.settings;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.SecurityLevel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The settings of a channel, by subject. */
public record ChannelSettings(
    Naming naming,
    Calls calls,
    Security security,
    Connections connections,
    Policies policies,
    Lifetime lifetime) {
  /**
   * Where the calls go.
   *
   * @param text the target for statuses and logs
   * @param authority {@code :authority} of calls that have no other, and whose endpoint has none
   * @param resolvers the provider for the target's scheme
   */
  public record Naming(
      Target target, String text, String authority, NameResolverProvider resolvers) {
    /**
     * Asks the provider for the text now: it may be anybody's, and calls must not fail by it later.
     *
     * @throws IllegalArgumentException if it returns null
     */
    public static Naming of(Target target, String authority, NameResolverProvider resolvers) {
      String text = resolvers.describe(target);
      if (text == null) {
        throw new IllegalArgumentException(
            "describe(" + target + ") of " + resolvers.getClass().getName() + " returned null");
      }
      return new Naming(target, text, authority, resolvers);
    }
  }

  /**
   * What all calls have in common.
   *
   * @param executor runs the listeners of calls without their own executor
   * @param messages the settings for messages
   * @param tracers the factories of tracers for all calls
   */
  public record Calls(
      Executor executor, MessageSettings messages, List<ClientCallTracer.Factory> tracers) {}

  /**
   * How calls are protected.
   *
   * @param callCredentials the credentials of all calls
   * @param level the protection that the connections provide
   * @param namesProved whether servers have to prove their names
   */
  public record Security(
      Optional<CallCredentials> callCredentials, SecurityLevel level, boolean namesProved) {
    /**
     * The name that a server with this authority must prove: its host. Over plaintext, where none
     * proves anything, the authority.
     *
     * @throws IllegalArgumentException if it has no host that a certificate could contain
     */
    public String serverName(String authority) {
      return namesProved ? HostPort.parse(authority, 0).host() : authority;
    }
  }

  /**
   * How connections are made.
   *
   * @param settings of each connection
   * @param userAgent the user agent of the application; empty if there is none
   * @param scheduler of the transport
   */
  public record Connections(
      TransportProvider.Connector connector,
      TransportSettings settings,
      String userAgent,
      Scheduler scheduler) {}

  /**
   * How calls are distributed and tried again.
   *
   * @param loadBalancer the policy that is used if the service config names none
   * @param maxConnectionsPerSubchannel the maximum number of connections to one address, if the
   *     service config has no other
   * @param serviceConfigs the sources of the service config
   */
  public record Policies(
      LoadBalancerProvider loadBalancer,
      int maxConnectionsPerSubchannel,
      ServiceConfigSettings serviceConfigs) {}

  /**
   * When the channel closes its connections.
   *
   * @param idleTimeout the time without calls after which it does; zero for never
   * @param closeGrace how long the channel, when it is closed, waits for calls
   */
  public record Lifetime(Duration idleTimeout, Duration closeGrace) {
    public static final Lifetime DEFAULT =
        new Lifetime(Duration.ofMinutes(30), Duration.ofSeconds(5));

    public Lifetime withIdleTimeout(Duration timeout) {
      return new Lifetime(timeout, closeGrace);
    }

    public Lifetime withCloseGrace(Duration grace) {
      return new Lifetime(idleTimeout, grace);
    }
  }

  /** The clock and the timers of the channel. */
  public Scheduler scheduler() {
    return connections.scheduler;
  }

  /** Whether calls use a service config that the resolver may provide. */
  public boolean resolverBringsConfig() {
    return policies.serviceConfigs.lookUp() == ServiceConfigSettings.LookUp.ENABLED
        && naming.resolvers.bringsServiceConfig();
  }

  /** The target, for statuses and logs. */
  public String targetText() {
    return naming.text;
  }
}
