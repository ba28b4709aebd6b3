package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;

/**
 * Forwards all methods to another policy, also those that later releases add, except for {@link
 * #onConfig}: for policies that change what a child is told. What the child publishes is changed by
 * the context that it is created with, a {@link ForwardingContext}; a policy may be both.
 *
 * <p>A policy whose child can have another provider in new settings has a {@link ReplaceableChild}.
 */
public abstract class ForwardingLoadBalancer implements LoadBalancer {
  /** For subclasses. */
  protected ForwardingLoadBalancer() {}

  /** The policy to which all methods are forwarded; always the same. */
  protected abstract LoadBalancer delegate();

  /**
   * Is {@link #onNoEndpoints} of this policy if a parent, or the subclass, has left no endpoints.
   */
  @Override
  public void onResolved(Resolution.Resolved resolved) {
    if (resolved.endpoints().isEmpty()) {
      onNoEndpoints(LeftEndpoints.NONE);
    } else {
      delegate().onResolved(resolved);
    }
  }

  /**
   * Not forwarded: the settings are those of the wrapping policy, which passes its child's on by
   * {@link LoadBalancerProvider#reconfigure} or {@link ReplaceableChild#use}. By default false.
   */
  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    return LoadBalancer.super.onConfig(config);
  }

  @Override
  public void onResolutionFailed(Status why) {
    delegate().onResolutionFailed(why);
  }

  @Override
  public boolean onNoEndpoints(Status why) {
    return delegate().onNoEndpoints(why);
  }

  @Override
  public void exitIdle() {
    delegate().exitIdle();
  }

  @Override
  public void shutdown() {
    delegate().shutdown();
  }
}
