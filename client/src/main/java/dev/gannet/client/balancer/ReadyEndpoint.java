package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;

/**
 * An endpoint with a connection, for an {@link EndpointChooser}. To be used while the chooser is
 * called, except for its tracker, its picker and its subchannel, which are for all threads. Only
 * implemented by Gannet; methods may be added.
 *
 * @param <T> what the chooser keeps for it
 */
public interface ReadyEndpoint<T extends CallTracker> {
  /** Its addresses, and the attributes that the resolver has given it last. */
  Endpoint endpoint();

  /**
   * Picks the connection to it. Not to be kept longer than until {@link EndpointChooser#among} is
   * called again: calls then wait for a connection that may be gone.
   */
  Picker picker();

  /** What the chooser has made for it by {@link EndpointChooser#newTracker}. */
  T tracker();

  /** The subchannel of its connection. */
  Subchannel subchannel();
}
