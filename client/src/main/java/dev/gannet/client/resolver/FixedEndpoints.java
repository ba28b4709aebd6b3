package dev.gannet.client.resolver;

import java.util.List;

/**
 * Fixed endpoints of an application, for a target of any scheme: the target is still the name of
 * the servers.
 *
 * @param endpoints at least one
 * @param named the provider for the scheme of the targets
 */
public record FixedEndpoints(List<Endpoint> endpoints, NameResolverProvider named)
    implements NameResolverProvider {
  /**
   * Checks them.
   *
   * @throws IllegalArgumentException if there is none
   */
  public FixedEndpoints {
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("a channel needs at least one endpoint");
    }
    endpoints = List.copyOf(endpoints);
  }

  @Override
  public String scheme() {
    return named.scheme();
  }

  @Override
  public String authority(Target target) {
    return named.authority(target);
  }

  @Override
  public String describe(Target target) {
    return named.describe(target);
  }

  @Override
  public boolean bringsServiceConfig() {
    return false;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new FixedResolver(Resolution.of(endpoints));
  }
}
