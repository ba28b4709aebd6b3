package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;

/**
 * The endpoints that a parent policy leaves to a child. Without any, the child gives those up that
 * it has, as after a result of the resolver without endpoints.
 */
final class LeftEndpoints {
  /** Why the child of a parent that has left none has none. */
  static final Status NONE =
      Status.UNAVAILABLE.withDescription("the parent policy left no endpoints");

  private LeftEndpoints() {}

  /** Passes a result to a child that expects at least one endpoint. */
  static void pass(Resolution.Resolved left, LoadBalancer child) {
    if (left.endpoints().isEmpty()) {
      child.onNoEndpoints(NONE);
    } else {
      child.onResolved(left);
    }
  }
}
