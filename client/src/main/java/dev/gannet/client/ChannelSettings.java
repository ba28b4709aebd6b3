package dev.gannet.client;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.pipe.PipeProvider;
import java.util.List;
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
 */
record ChannelSettings(
    Target target,
    String authority,
    NameResolverProvider resolvers,
    LoadBalancerProvider policies,
    TransportConnector connector,
    Executor executor,
    ConnectionLimits limits,
    int maxInboundMessageBytes,
    PipeProvider pipes,
    List<ClientCallTracer.Factory> tracers,
    String userAgent) {
  /** The target, for statuses and logs. */
  String targetText() {
    return resolvers.describe(target);
  }
}
