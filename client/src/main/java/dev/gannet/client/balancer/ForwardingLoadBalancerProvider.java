package dev.gannet.client.balancer;

import java.util.Objects;

/**
 * Forwards all methods to another provider, also those that later releases add, except for {@link
 * #reconfigure}: for providers that change what another one creates. As safe for threads as that
 * one.
 *
 * <p>Subclasses that stand for settings of their own define {@code equals} and {@code hashCode}: a
 * provider that does not equal the current one changes or replaces the policy of a channel. A
 * subclass that has to remain around a policy with the settings of a service config overrides
 * {@link #configured}.
 */
public abstract class ForwardingLoadBalancerProvider implements LoadBalancerProvider {
  private final LoadBalancerProvider delegate;

  /** Forwards all methods to this provider. */
  protected ForwardingLoadBalancerProvider(LoadBalancerProvider delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The provider to which all methods are forwarded. */
  protected final LoadBalancerProvider delegate() {
    return delegate;
  }

  @Override
  public String policyName() {
    return delegate.policyName();
  }

  @Override
  public int priority() {
    return delegate.priority();
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return delegate.create(context);
  }

  /**
   * Not forwarded: the policy is asked only if both are of the same subclass, and with the
   * subclass, because settings may be its own. The built-in policies take no settings of a wrapper.
   */
  @Override
  public boolean reconfigure(LoadBalancer policy, LoadBalancerProvider current) {
    return LoadBalancerProvider.super.reconfigure(policy, current);
  }

  @Override
  public boolean needsConfig() {
    return delegate.needsConfig();
  }

  @Override
  public boolean distributesCalls() {
    return delegate.distributesCalls();
  }

  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    return delegate.configured(config);
  }
}
