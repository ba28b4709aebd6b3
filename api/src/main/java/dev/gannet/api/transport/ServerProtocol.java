package dev.gannet.api.transport;

import dev.gannet.api.Preview;

/**
 * A protocol in which a server accepts calls besides gRPC, for the builder of servers. The modules
 * of protocols create these objects; applications only pass them on. Without a choice, a server
 * accepts the protocols that it finds on the class path or module path. Only implemented by Gannet;
 * methods may be added.
 */
@Preview(until = "0.3")
public interface ServerProtocol {}
