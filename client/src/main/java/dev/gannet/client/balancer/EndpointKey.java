package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.Set;

/**
 * The identity of an endpoint: its addresses, in any order, and its authority. One address can be
 * several servers, as those behind a proxy that chooses by name.
 */
record EndpointKey(Set<SocketAddress> addresses, Optional<String> authority) {
  static EndpointKey of(Endpoint endpoint) {
    return new EndpointKey(Set.copyOf(endpoint.addresses()), endpoint.authority());
  }

  static EndpointKey of(Subchannel subchannel) {
    return of(subchannel.endpoint());
  }
}
