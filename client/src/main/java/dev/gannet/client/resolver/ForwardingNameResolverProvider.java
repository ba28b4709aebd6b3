package dev.gannet.client.resolver;

import java.util.Objects;

/**
 * Forwards all methods to another provider, also those that later releases add, except for {@link
 * #leavesNamesToProxy}: for providers that change what another one's resolvers find, or what a
 * target is called. As safe for threads as that one.
 *
 * <p>A provider that changes results creates a {@link ForwardingNameResolver} around the resolver
 * that the other one creates.
 */
public abstract class ForwardingNameResolverProvider implements NameResolverProvider {
  private final NameResolverProvider delegate;

  /** Forwards all methods to this provider. */
  protected ForwardingNameResolverProvider(NameResolverProvider delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The provider to which all methods are forwarded. */
  protected final NameResolverProvider delegate() {
    return delegate;
  }

  @Override
  public String scheme() {
    return delegate.scheme();
  }

  @Override
  public int priority() {
    return delegate.priority();
  }

  @Override
  public String authority(Target target) {
    return delegate.authority(target);
  }

  @Override
  public String describe(Target target) {
    return delegate.describe(target);
  }

  @Override
  public boolean bringsServiceConfig() {
    return delegate.bringsServiceConfig();
  }

  /** Not forwarded: with a proxy, what a subclass changes would be lost. By default false. */
  @Override
  public boolean leavesNamesToProxy() {
    return NameResolverProvider.super.leavesNamesToProxy();
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return delegate.create(target, context);
  }
}
