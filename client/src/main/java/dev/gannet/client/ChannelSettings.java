package dev.gannet.client;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.SecurityLevel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.protocol.MessageEncodings;
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
 * @param maxInboundMessageBytes the maximum size of a response message, after decompression
 * @param tracers factories of tracers for its calls
 * @param userAgent the user agent of the application, if any
 * @param idleTimeout the time without calls after which the channel closes its connections; zero
 *     for never
 * @param callCredentials the credentials of all calls
 * @param securityLevel the protection that the connections provide
 * @param maxConnectionsPerSubchannel the maximum number of connections to one address
 * @param encodings the encodings for messages
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
    int maxInboundMessageBytes,
    TransportProvider transport,
    List<ClientCallTracer.Factory> tracers,
    String userAgent,
    Duration idleTimeout,
    Optional<CallCredentials> callCredentials,
    SecurityLevel securityLevel,
    int maxConnectionsPerSubchannel,
    MessageEncodings encodings,
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
