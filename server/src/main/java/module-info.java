/** The server: services, dispatch to handlers, orderly shutdown. */
module dev.gannet.server {
  requires static org.jspecify;
  requires transitive dev.gannet.api;
  requires dev.gannet.protocol;
  requires dev.gannet.transport;

  exports dev.gannet.server;
}
