package dev.gannet.server;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.TransportSettings;
import java.util.List;

/**
 * What a server was built with.
 *
 * @param services with their interceptors around them
 * @param dispatch where handlers run whose method does not say
 * @param maxInboundMessageBytes the longest request message taken, after decompression
 * @param maxCallNanos how long a call may last, whatever its client says
 */
record ServerSettings(
    List<ServerServiceDefinition> services,
    ServerCredentials credentials,
    Dispatch dispatch,
    TransportSettings connections,
    ConnectionCaps caps,
    int maxInboundMessageBytes,
    long maxCallNanos,
    TransportProvider transport,
    ServerFeatures features) {}
