package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /** Written out, as is equals: the first call waits until a record's own ones are linked. */
  @Override
  public int hashCode() {
    return 31 * addresses.hashCode() + authority.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EndpointKey key
        && addresses.equals(key.addresses)
        && authority.equals(key.authority);
  }
}
