package dev.gannet.server;

/**
 * Something that adds more than a service to a server: services together with what they hear of the
 * server, with interceptors or with options. Given to {@link ServerBuilder#add(ServerExtension)}.
 */
public interface ServerExtension {
  /** Adds what it has to a server that will be started; on the thread that builds the server. */
  void addTo(ServerBuilder builder);
}
