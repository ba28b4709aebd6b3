package dev.gannet.client.resolver;

import java.util.List;
import java.util.Objects;

/**
 * Fixed endpoints of an application, for a target of any scheme: the target is still the name of
 * the servers. Immutable.
 */
public final class FixedEndpoints extends ForwardingNameResolverProvider {
  private final List<Endpoint> endpoints;

  private FixedEndpoints(List<Endpoint> endpoints, NameResolverProvider named) {
    super(named);
    this.endpoints = endpoints;
  }

  /**
   * These endpoints; the list is copied.
   *
   * @param named the provider for the scheme of the targets
   * @throws IllegalArgumentException if there is no endpoint
   */
  public static FixedEndpoints of(List<Endpoint> endpoints, NameResolverProvider named) {
    Objects.requireNonNull(named, "named");
    if (Objects.requireNonNull(endpoints, "endpoints").isEmpty()) {
      throw new IllegalArgumentException("a channel needs at least one endpoint");
    }
    return new FixedEndpoints(List.copyOf(endpoints), named);
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
