package dev.gannet.client;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.SecurityLevel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.TransportSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The settings of a channel.
 *
 * @param authority {@code :authority} of its calls
 * @param resolvers the provider for the target's scheme
 * @param policies the provider of the current policy
 * @param executor runs listeners of calls without their own executor
 * @param messages the settings for the messages of its calls
 * @param tracers factories of tracers for its calls
 * @param userAgent the user agent of the application, if any
 * @param idleTimeout the time without calls after which the channel closes its connections; zero
 *     for never
 * @param closeGrace how long {@link ManagedChannel#close} waits for calls
 * @param callCredentials the credentials of all calls
 * @param securityLevel the protection that the connections provide
 * @param maxConnectionsPerSubchannel the maximum number of connections to one address
 * @param serviceConfigs the sources of its service config
 */
record ChannelSettings(
    Target target,
    String authority,
    NameResolverProvider resolvers,
    LoadBalancerProvider policies,
    TransportProvider.Connector connector,
    Executor executor,
    TransportSettings connections,
    MessageSettings messages,
    TransportProvider transport,
    List<ClientCallTracer.Factory> tracers,
    String userAgent,
    Duration idleTimeout,
    Duration closeGrace,
    Optional<CallCredentials> callCredentials,
    SecurityLevel securityLevel,
    int maxConnectionsPerSubchannel,
    ServiceConfigSettings serviceConfigs) {
  /** Whether calls use a service config that the resolver may provide. */
  boolean resolverBringsConfig() {
    return serviceConfigs.lookUp() == ServiceConfigSettings.LookUp.ENABLED
        && resolvers.bringsServiceConfig();
  }

  /** The target, for statuses and logs. */
  String targetText() {
    return resolvers.describe(target);
  }
}
