package dev.gannet.serviceconfig;

import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.PolicyConfig;
import java.time.Duration;
import java.util.List;

/**
 * A policy as an application writes one: endpoints of this zone first, with a policy inside. Found
 * by {@code ServiceLoader}.
 */
public final class NearestFirst implements LoadBalancerProvider {
  /** What a service config can set. */
  record Settings(
      String zone,
      int spareZones,
      double overflow,
      boolean strict,
      Duration patience,
      List<String> avoid,
      List<Integer> weights,
      LoadBalancerProvider child) {}

  final Settings settings;

  /** For {@code ServiceLoader}. */
  public NearestFirst() {
    this(
        new Settings(
            "",
            1,
            1.5,
            false,
            Duration.ZERO,
            List.of(),
            List.of(),
            LoadBalancerProvider.roundRobin()));
  }

  private NearestFirst(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String policyName() {
    return "nearest_first";
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return settings.child().create(context);
  }

  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    String zone = config.text("zone").orElseThrow(() -> config.fault("zone", "is missing"));
    int spare = config.integer("spareZones").orElse(settings.spareZones());
    if (spare < 0) {
      throw config.fault("spareZones", "must not be negative: " + spare);
    }
    return new NearestFirst(
        new Settings(
            zone,
            spare,
            config.decimal("overflow").orElse(settings.overflow()),
            config.bool("strict").orElse(settings.strict()),
            config.object("limits").flatMap(it -> it.duration("patience")).orElse(Duration.ZERO),
            config.texts("avoid"),
            config.objects("zones").stream().map(it -> it.integer("weight").orElse(1)).toList(),
            config.policy("childPolicy").orElse(settings.child())));
  }
}
