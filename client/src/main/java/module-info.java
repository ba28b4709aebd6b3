/** The client: channels, connections, calls. */
module dev.gannet.client {
  requires static org.jspecify;
  requires transitive dev.gannet.api;
  requires dev.gannet.protocol;
  requires dev.gannet.transport;

  exports dev.gannet.client;
  exports dev.gannet.client.balancer;
  exports dev.gannet.client.config;
  exports dev.gannet.client.resolver;

  uses dev.gannet.client.balancer.LoadBalancerProvider;
  uses dev.gannet.client.resolver.NameResolverProvider;
}
