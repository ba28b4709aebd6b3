package dev.gannet.examples.extending;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.KeyedChildren;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A load-balancing policy with several children: each group of servers gets a share of the calls,
 * such as a hundredth for a new release, and distributes it by a policy of its own. The share of a
 * group that is not ready goes to the others. Comparable to xDS's {@code weighted_target}.
 *
 * @param groups in any order
 */
public record WeightedGroups(List<Group> groups) implements LoadBalancerProvider {
  /** The group of a server. */
  public static final Attributes.Key<String> GROUP = Attributes.Key.of("group");

  private static final int MAX_WEIGHT = 1_000_000;
  private static final int MAX_GROUPS = 1_000;

  /**
   * Checks and copies the list.
   *
   * @throws IllegalArgumentException if there is no group, or more than 1,000, or two have the same
   *     name
   */
  public WeightedGroups {
    groups = List.copyOf(groups);
    long names = groups.stream().map(Group::name).distinct().count();
    if (groups.isEmpty() || groups.size() > MAX_GROUPS || names < groups.size()) {
      throw new IllegalArgumentException("1 to 1,000 groups with different names are needed");
    }
  }

  /**
   * The servers whose {@link #GROUP} is this name, and the policy for them.
   *
   * @param weight 1 to 1,000,000; the share of the group is its part of the sum of all weights
   */
  public record Group(String name, int weight, LoadBalancerProvider child) {
    /**
     * Checks the weight.
     *
     * @throws IllegalArgumentException if it is too small or too large
     */
    public Group {
      if (weight < 1 || weight > MAX_WEIGHT) {
        throw new IllegalArgumentException("a weight is 1 to 1,000,000, not " + weight);
      }
    }
  }

  @Override
  public String policyName() {
    return "weighted_groups";
  }

  /** Reads {@code {"groups": {"old": {"weight": 99, "childPolicy": […]}, "new": {…}}}}. */
  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    return config
        .object("groups")
        .map(it -> new WeightedGroups(it.fields().stream().map(name -> group(name, it)).toList()))
        .orElse(this);
  }

  private static Group group(String name, PolicyConfig groups) {
    PolicyConfig group = groups.object(name).orElseThrow(() -> groups.fault(name, "is missing"));
    return new Group(
        name,
        group.integer("weight").orElseThrow(() -> group.fault("weight", "is missing")),
        group.policy("childPolicy").orElseGet(LoadBalancerProvider::roundRobin));
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return new Policy(context, groups);
  }

  private static final class Policy implements LoadBalancer {
    private final Context context;
    private final KeyedChildren<String> children;
    private List<Group> groups;

    Policy(Context context, List<Group> groups) {
      this.context = context;
      this.groups = groups;
      this.children = new KeyedChildren<>(context, this::publish);
    }

    /** Groups stay connected, so that each gets its share at once. */
    private void publish() {
      children.keys().stream()
          .filter(it -> children.state(it) == ConnectivityState.IDLE)
          .forEach(children::exitIdle);
      children.publish(this::byWeight);
    }

    private Picker byWeight(Map<String, Picker> pickers) {
      NavigableMap<Integer, Picker> shares = new TreeMap<>();
      int sum = 0;
      for (Group group : groups) {
        Picker picker = pickers.get(group.name());
        if (picker != null) {
          sum += group.weight();
          shares.put(sum, picker);
        }
      }
      return new ByWeight(shares, context.random());
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      Map<String, LoadBalancerProvider> policies = new LinkedHashMap<>();
      groups.forEach(it -> policies.put(it.name(), it.child()));
      children.use(policies);
      policies.keySet().forEach(it -> children.onResolved(it, of(it, resolved)));
      publish(); // weights may be others, and nothing else new
    }

    /** The result with the endpoints of one group; its child hears if there are none. */
    private static Resolution.Resolved of(String group, Resolution.Resolved all) {
      return all.withEndpoints(all.endpoints().stream().filter(it -> isIn(group, it)).toList());
    }

    private static boolean isIn(String group, Endpoint endpoint) {
      return endpoint.attributes().get(GROUP).filter(group::equals).isPresent();
    }

    @Override
    public boolean onConfig(LoadBalancerProvider config) {
      groups = ((WeightedGroups) config).groups(); // onResolved follows
      return true;
    }

    @Override
    public void onResolutionFailed(Status why) {
      failWithoutChildren(why);
      children.onResolutionFailed(why);
    }

    @Override
    public boolean onNoEndpoints(Status why) {
      failWithoutChildren(why);
      return children.onNoEndpoints(why); // each that gives its endpoints up publishes that
    }

    /** Until the first result there are none who could say so. */
    private void failWithoutChildren(Status why) {
      if (children.keys().isEmpty()) {
        context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(why));
      }
    }

    @Override
    public void exitIdle() {
      children.exitIdle();
    }

    @Override
    public void shutdown() {
      children.shutdown();
    }
  }

  /**
   * Runs on callers' threads.
   *
   * @param shares the pickers, each with the sum of the weights up to its own
   */
  private record ByWeight(NavigableMap<Integer, Picker> shares, RandomGenerator random)
      implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      int drawn = random.nextInt(shares.lastKey());
      return shares.higherEntry(drawn).getValue().pick(args);
    }
  }
}
