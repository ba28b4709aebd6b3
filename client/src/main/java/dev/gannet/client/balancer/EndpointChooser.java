package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import java.util.List;

/**
 * Distributes the calls of a channel over the endpoints that are ready: the part of a policy that
 * remains if {@link LoadBalancer#overReadyEndpoints} does the rest.
 *
 * <p>Its methods are called one at a time, like those of a {@link LoadBalancer}, and must not
 * block. For applications to implement; new methods will have a default.
 *
 * @param <T> what it keeps for each endpoint, and what is notified of the endpoint's calls; {@link
 *     CallTracker} with {@link CallTracker#NONE} if it keeps nothing
 */
@Preview
public interface EndpointChooser<T extends CallTracker> {
  /** What is kept for a new endpoint, as long as the resolver lists it. */
  T newTracker();

  /**
   * Creates a picker for these endpoints, of which there is at least one, in the resolver's order.
   * Called when they, their attributes or their connections have changed. The picker is used on all
   * threads; it passes a call to the {@link ReadyEndpoint#picker} of the endpoint that it chooses.
   */
  Picker among(List<ReadyEndpoint<T>> ready);

  /** The endpoint has become ready, and was not before; {@link #among} follows. */
  default void onReady(ReadyEndpoint<T> endpoint) {}

  /** The policy is no longer used. Last call. */
  default void shutdown() {}
}
