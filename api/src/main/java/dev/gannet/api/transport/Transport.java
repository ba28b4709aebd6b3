package dev.gannet.api.transport;

/**
 * A kind of transport, such as HTTP/2 over sockets, for the builders of channels and servers. The
 * modules of transports create these objects; applications only pass them on. Without one, a
 * builder uses the transport that it finds on the class path or module path. Only implemented by
 * Gannet; methods may be added.
 */
public interface Transport {}
