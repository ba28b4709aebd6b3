package dev.gannet.client.balancer;

import dev.gannet.api.Status;

/**
 * The endpoints that a parent policy leaves to a child. Without any, the child gives those up that
 * it has, as after a result of the resolver without endpoints.
 */
final class LeftEndpoints {
  /** Why the child of a parent that has left none has none. */
  static final Status NONE =
      Status.UNAVAILABLE.withDescription("the parent policy left no endpoints");

  private LeftEndpoints() {}
}
