package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import dev.gannet.client.resolver.Endpoint;
import java.util.Optional;

/**
 * An endpoint with a connection, for an {@link EndpointChooser}. To be used while the chooser is
 * called, except for its tracker and its picker, which are for all threads. Only implemented by
 * Gannet; methods may be added.
 *
 * @param <T> what the chooser keeps for it
 */
@Preview(until = "0.3")
public interface ReadyEndpoint<T extends CallTracker> {
  /** Its addresses, and the attributes that the resolver has given it. */
  Endpoint endpoint();

  /** Picks the connection to it. */
  Picker picker();

  /** What the chooser has made for it by {@link EndpointChooser#newTracker}. */
  T tracker();

  /** The subchannel of its connection. */
  Optional<Subchannel> subchannel();
}
