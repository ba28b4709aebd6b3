package dev.gannet.examples.extending;

import dev.gannet.client.balancer.ForwardingLoadBalancer;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.balancer.ReplaceableChild;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.List;

/**
 * A load-balancing policy that gives another policy only the servers of its own zone, as long as
 * there are any. The zones of servers are attributes that a resolver has set.
 *
 * <p>As records, providers with the same settings are equal, so that the same service config again
 * changes nothing; other settings reach the running policy, and connections stay.
 *
 * @param zone of this client
 * @param child distributes the calls
 */
public record SameZone(String zone, LoadBalancerProvider child) implements LoadBalancerProvider {
  /** The zone of a server. */
  public static final Attributes.Key<String> ZONE = Attributes.Key.of("zone");

  @Override
  public String policyName() {
    return "same_zone";
  }

  /** Reads {@code {"same_zone": {"zone": "a", "childPolicy": [{"round_robin": {}}]}}}. */
  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    return new SameZone(
        config.text("zone").orElse(zone), config.policy("childPolicy").orElse(child));
  }

  @Override
  public boolean distributesCalls() {
    return child.distributesCalls();
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return new Policy(new ReplaceableChild(context), this);
  }

  private static final class Policy extends ForwardingLoadBalancer {
    private final ReplaceableChild child;
    private String zone;

    Policy(ReplaceableChild child, SameZone settings) {
      this.child = child;
      this.zone = settings.zone();
      child.use(settings.child());
    }

    @Override
    protected LoadBalancer delegate() {
      return child;
    }

    @Override
    public boolean onConfig(LoadBalancerProvider config) {
      SameZone settings = (SameZone) config;
      zone = settings.zone();
      child.use(settings.child());
      return true;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      List<Endpoint> near = resolved.endpoints().stream().filter(this::isNear).toList();
      child.onResolved(near.isEmpty() ? resolved : resolved.withEndpoints(near));
    }

    private boolean isNear(Endpoint endpoint) {
      return endpoint.attributes().get(ZONE).filter(zone::equals).isPresent();
    }
  }
}
