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
 * What a channel was built with.
 *
 * @param authority {@code :authority} of its calls
 * @param resolvers of the target's scheme
 * @param policies of the policy that is in force
 * @param executor where listeners run whose call does not say
 * @param maxInboundMessageBytes the longest response message taken, after decompression
 * @param tracers who makes tracers for its calls
 * @param userAgent what the application says of itself, or nothing
 * @param idleTimeout after so long without calls the channel lets its connections go; zero for
 *     never
 * @param callCredentials of all calls
 * @param securityLevel what the connections protect from
 * @param maxConnectionsPerSubchannel how many connections may carry calls to one address at a time
 * @param encodings what messages may be compressed with
 * @param serviceConfigs where its service config comes from
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
  /** Whether calls go by a service config that its resolver may bring. */
  boolean resolverBringsConfig() {
    return serviceConfigs.lookUp() == ServiceConfigSettings.LookUp.ENABLED
        && resolvers.bringsServiceConfig();
  }

  /** The target, for statuses and logs. */
  String targetText() {
    return resolvers.describe(target);
  }
}
