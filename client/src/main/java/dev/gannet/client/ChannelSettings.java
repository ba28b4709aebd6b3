package dev.gannet.client;

import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.pipe.PipeProvider;
import java.util.concurrent.Executor;

/**
 * What a channel was built with.
 *
 * @param authority {@code :authority} of its calls
 * @param serverName what the server's certificate must name
 * @param executor where listeners run whose call does not say
 * @param maxInboundMessageBytes the longest response message taken, after decompression
 */
record ChannelSettings(
    Target target,
    String authority,
    String serverName,
    PipeProvider.Connector connector,
    Executor executor,
    ConnectionLimits limits,
    int maxInboundMessageBytes,
    PipeProvider pipes) {}
