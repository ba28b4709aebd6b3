package dev.gannet.server;

/**
 * Adds more than a service to a server: services together with observers, interceptors or options.
 * Passed to {@link ServerBuilder#add(ServerExtension)}, with {@link ServiceOptions} if its services
 * need interceptors. For applications to implement; new methods will have a default.
 */
public interface ServerExtension {
  /** Adds its parts to the builder of a server; on the thread that builds the server. */
  void addTo(ServerBuilder builder);
}
