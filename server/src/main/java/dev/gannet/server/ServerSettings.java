package dev.gannet.server;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.TransportSettings;
import java.util.List;
import java.util.Optional;

/**
 * What a server was built with.
 *
 * @param services with their interceptors around them
 * @param dispatch where handlers run whose method does not say
 * @param maxInboundMessageBytes the longest request message taken, after decompression
 * @param maxCallNanos how long a call may last, whatever its client says
 * @param tracers who makes tracers for its requests
 * @param loadShedding which calls it refuses under load; empty if none
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
    List<ServerStreamTracer.Factory> tracers,
    Optional<LoadShedding> loadShedding) {}
