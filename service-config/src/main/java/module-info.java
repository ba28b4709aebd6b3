/** gRPC's service config in JSON. */
module dev.gannet.serviceconfig {
  requires com.fasterxml.jackson.core;
  requires transitive dev.gannet.client;
  requires static org.jspecify;

  exports dev.gannet.serviceconfig;
}
