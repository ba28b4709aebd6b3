package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Passes only some of the endpoints to its child, chosen by a hash with its own seed: different
 * clients connect to different endpoints, and a change of the list changes little (gRFC A68).
 */
final class RandomSubsetting extends ForwardingLoadBalancer {
  private static final String NAME = "random_subsetting_experimental";

  /** The provider whose size and child are missing. */
  static final LoadBalancerProvider UNCONFIGURED =
      new NeedsConfig(NAME, config -> configured(new ConfigFields(config)));

  private final ReplaceableChild child;
  private final long seed;
  private int size;

  private record Settings(int size, LoadBalancerProvider child) {}

  private RandomSubsetting(Context context, Settings settings) {
    this.child = new ReplaceableChild(context);
    this.size = settings.size();
    this.seed = context.random().nextLong();
    child.use(settings.child());
  }

  @Override
  protected LoadBalancer delegate() {
    return child;
  }

  /**
   * The provider.
   *
   * @throws IllegalArgumentException if the size is not positive
   */
  static LoadBalancerProvider provider(int size, LoadBalancerProvider child) {
    if (size <= 0) {
      throw new IllegalArgumentException("random_subsetting needs a size of at least 1: " + size);
    }
    Settings settings = new Settings(size, child);
    return new BuiltInPolicy(
        NAME,
        settings,
        context -> new RandomSubsetting(context, settings),
        config -> configured(new ConfigFields(config)),
        child.distributesCalls());
  }

  /** Nothing of it has a default. */
  private static LoadBalancerProvider configured(ConfigFields config) {
    LoadBalancerProvider child = config.childPolicy();
    return config
        .integer("subsetSize", Optional.<LoadBalancerProvider>empty(), it -> of(it, child))
        .orElseThrow(() -> config.config().fault("subsetSize", "is missing"));
  }

  private static Optional<LoadBalancerProvider> of(int size, LoadBalancerProvider child) {
    return Optional.of(provider(size, child));
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    List<Endpoint> all = resolved.endpoints();
    if (all.size() <= size) {
      child.onResolved(resolved);
      return;
    }
    List<Endpoint> some =
        all.stream().sorted(Comparator.comparingLong(this::rank)).limit(size).toList();
    child.onResolved(resolved.withEndpoints(some));
  }

  /** The seed stays, so that another size adds or removes endpoints, and moves none. */
  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    Optional<Settings> now = BuiltInPolicy.settingsIn(config, Settings.class);
    now.ifPresent(it -> {
      size = it.size();
      child.use(it.child());
    });
    return now.isPresent();
  }

  private long rank(Endpoint endpoint) {
    return XxHash64.of(endpoint.addresses().getFirst().toString(), seed);
  }
}
