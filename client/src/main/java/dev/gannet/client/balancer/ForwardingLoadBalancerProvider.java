package dev.gannet.client.balancer;

import java.util.Objects;

/**
 * Forwards all methods to another provider, also those that later releases add, except for {@link
 * #reconfigure}, {@link #creator} and {@link #configured}: for providers that change what another
 * one creates. As safe for threads as that one.
 *
 * <p>Subclasses that stand for settings of their own define {@code equals} and {@code hashCode}: a
 * provider that does not equal the current one replaces the policy of a channel.
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
   * Not forwarded: a policy that the other provider has created takes the settings of that one, and
   * not those of this class. So a provider that differs from the current one replaces the policy. A
   * subclass whose policies are its own, or are those of the other one as they are, overrides this.
   */
  @Override
  public boolean reconfigure(LoadBalancer policy, LoadBalancerProvider current) {
    return equals(current);
  }

  /** This one, because its policies may differ from those of the provider that it wraps. */
  @Override
  public LoadBalancerProvider creator() {
    return this;
  }

  @Override
  public boolean needsConfig() {
    return delegate.needsConfig();
  }

  @Override
  public boolean distributesCalls() {
    return delegate.distributesCalls();
  }

  /**
   * Not forwarded, because the result would be the other provider's alone: a provider of this
   * subclass around {@code delegate().configured(config)}. Even a service config that only names
   * the policy asks for it.
   */
  @Override
  public abstract LoadBalancerProvider configured(PolicyConfig config);
}
