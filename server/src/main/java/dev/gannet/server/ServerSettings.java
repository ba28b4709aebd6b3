package dev.gannet.server;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.transport.CallLimits;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.TransportSettings;
import java.util.List;

/**
 * The settings of a server.
 *
 * @param services with their interceptors around them
 * @param dispatch where handlers run whose method does not say
 * @param limits of the calls of methods that have no others
 */
record ServerSettings(
    List<ServerServiceDefinition> services,
    ServerCredentials credentials,
    Dispatch dispatch,
    TransportSettings connections,
    ConnectionCaps caps,
    CallLimits limits,
    TransportProvider transport,
    ServerFeatures features) {}
