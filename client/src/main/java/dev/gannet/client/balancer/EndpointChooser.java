package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.List;

/**
 * Distributes the calls of a channel over the endpoints that are ready: the part of a policy that
 * remains if {@link LoadBalancer#overReadyEndpoints} does the rest.
 *
 * <p>Its methods are called one at a time, like those of a {@link LoadBalancer}, and must not
 * block. If one of them throws, the policy has thrown: it is discarded, and created again after a
 * backoff, with another chooser. So a provider creates a chooser for each policy. For applications
 * to implement; new methods will have a default.
 *
 * <pre>
 *   start ──► onResolved ──► newTracker of each new endpoint ──► onReady of each that is ready now ──► among ──► … ──► shutdown
 * </pre>
 *
 * @param <T> what it keeps for each endpoint, and what is notified of the endpoint's calls; {@link
 *     CallTracker} with {@link CallTracker#NONE} if it keeps nothing
 */
public interface EndpointChooser<T extends CallTracker> {
  /**
   * Called first.
   *
   * @param update requests another call of {@link #among}, if endpoints are ready, so that waiting
   *     calls are picked for again. The chooser may run it on any thread when its choice changes
   *     for a reason of its own. It has no effect after {@link #shutdown}
   */
  default void start(Runnable update) {}

  /**
   * The resolver's result has changed; its endpoints and attributes replace earlier ones. {@link
   * #among} follows if the endpoints that are ready, or their attributes, or the settings differ:
   * for another reason call {@code update}.
   */
  default void onResolved(Resolution.Resolved resolved) {}

  /**
   * The policy's settings have changed, as in {@link LoadBalancer#onConfig}; {@link #onResolved}
   * and {@link #among} follow. What is kept for endpoints stays.
   *
   * @return whether the chooser has all the new settings; if not, it has changed nothing, and is
   *     replaced, together with all connections. By default false
   */
  default boolean onConfig(LoadBalancerProvider config) {
    return false;
  }

  /**
   * What is kept for this new endpoint, as long as the resolver lists its addresses, also while it
   * has no connection. Endpoints with the same addresses, in any order, and the same authority are
   * the same endpoint.
   */
  T newTracker(Endpoint endpoint);

  /**
   * Creates a picker for these endpoints: at least one, in the resolver's order. Called when they,
   * their attributes or their connections have changed. The picker is used on all threads; it
   * passes a call to the {@link ReadyEndpoint#picker} of the endpoint that it chooses. After {@link
   * Pick#queue} a call waits until this is called again.
   *
   * @param ready immutable
   */
  Picker among(List<ReadyEndpoint<T>> ready);

  /** The endpoint has become ready, and was not before; {@link #among} follows. */
  default void onReady(ReadyEndpoint<T> endpoint) {}

  /** The policy is no longer used: cancel timers. Last call. */
  default void shutdown() {}
}
