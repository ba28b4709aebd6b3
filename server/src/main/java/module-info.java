/** Server, its builder and its engine. */
module dev.gannet.server {
  requires transitive dev.gannet.api;
  requires dev.gannet.protocol;
  requires dev.gannet.transport;
  requires static org.jspecify;
}
