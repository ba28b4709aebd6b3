package dev.gannet.server;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.TransportSettings;
import java.util.List;

/**
 * The settings of a server.
 *
 * @param services with their interceptors
 * @param dispatch where handlers run whose method has no dispatch of its own
 * @param maxInboundMessageBytes the maximum size of a request message, after decompression
 * @param maxCallNanos the maximum duration of a call, independent of the client's deadline
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
