package dev.gannet.examples.extending;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.KeyedChildren;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A load-balancing policy with several children: all calls use the first group of servers that
 * works, each with a policy of its own. The next group is connected to when those before it have
 * failed, or have not connected within 10 s; its connections are kept for 15 minutes after it is no
 * longer needed. A group that has worked has 10 s to reconnect, too (gRFC A56).
 *
 * @param groups the preferred one first
 */
public record Priorities(List<Group> groups) implements LoadBalancerProvider {
  /** The group of a server. */
  public static final Attributes.Key<String> GROUP = Attributes.Key.of("group");

  /**
   * Checks and copies the list.
   *
   * @throws IllegalArgumentException if there is no group, or two have the same name
   */
  public Priorities {
    groups = List.copyOf(groups);
    if (groups.isEmpty() || groups.stream().map(Group::name).distinct().count() < groups.size()) {
      throw new IllegalArgumentException("groups need different names, and one is needed");
    }
  }

  /** The servers whose {@link #GROUP} is this name, and the policy for them. */
  public record Group(String name, LoadBalancerProvider child) {}

  @Override
  public String policyName() {
    return "priorities";
  }

  /** Reads {@code {"groups": {"near": {"childPolicy": […]}, "far": {"childPolicy": […]}}}}. */
  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    return config
        .object("groups")
        .map(it -> new Priorities(it.fields().stream().map(name -> group(name, it)).toList()))
        .orElse(this);
  }

  private static Group group(String name, PolicyConfig groups) {
    return new Group(
        name,
        groups
            .object(name)
            .flatMap(it -> it.policy("childPolicy"))
            .orElseGet(LoadBalancerProvider::roundRobin));
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return new Policy(context, groups);
  }

  private static final class Policy implements LoadBalancer {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration KEPT = Duration.ofMinutes(15);

    private final Context context;
    private final KeyedChildren<String> children;
    private List<Group> groups;
    private Optional<Resolution.Resolved> resolved = Optional.empty();

    /** The timers of groups that connect. */
    private final Map<String, Registration> patience = new HashMap<>();

    /** The groups that have failed, or have not connected in time, since they worked last. */
    private final Set<String> passedOver = new HashSet<>();

    Policy(Context context, List<Group> groups) {
      this.context = context;
      this.groups = groups;
      this.children = new KeyedChildren<>(context, KEPT, this::choose);
    }

    /** Publishes the first group that serves, and wants only those up to it, or one more. */
    private void choose() {
      if (resolved.isEmpty()) {
        return;
      }
      int begun = 0;
      for (String name : children.keys()) {
        begun++;
        watch(name);
        boolean isLast = begun == groups.size();
        if (!passedOver.contains(name) || isLast) {
          context.updateState(children.state(name), children.picker(name));
          useFirst(begun);
          return;
        }
      }
      useFirst(begun + 1);
    }

    /** The 10 s begin when a group connects that is new or has worked. */
    private void watch(String name) {
      switch (children.state(name)) {
        case READY, IDLE -> forget(name);
        case CONNECTING -> {
          if (!passedOver.contains(name)) {
            patience.computeIfAbsent(name, this::patienceWith);
          }
        }
        case TRANSIENT_FAILURE, SHUTDOWN -> {
          forget(name);
          passedOver.add(name);
        }
      }
    }

    private void forget(String name) {
      passedOver.remove(name);
      Optional.ofNullable(patience.remove(name)).ifPresent(Registration::close);
    }

    private void useFirst(int number) {
      if (children.keys().size() != number) {
        resolved.ifPresent(it -> use(groups.subList(0, number), it));
      }
    }

    private void use(List<Group> wanted, Resolution.Resolved from) {
      Map<String, LoadBalancerProvider> policies = new LinkedHashMap<>();
      wanted.forEach(it -> policies.put(it.name(), it.child()));
      children.keys().stream().filter(it -> !policies.containsKey(it)).forEach(this::forget);
      children.use(policies);
      policies.keySet().forEach(it -> children.onResolved(it, of(it, from)));
    }

    private Registration patienceWith(String name) {
      return context.schedule(() -> giveUp(name), PATIENCE);
    }

    private void giveUp(String name) {
      patience.remove(name);
      passedOver.add(name);
      choose();
    }

    /** The result with the endpoints of one group. */
    private static Resolution.Resolved of(String group, Resolution.Resolved all) {
      return all.withEndpoints(all.endpoints().stream().filter(it -> isIn(group, it)).toList());
    }

    private static boolean isIn(String group, Endpoint endpoint) {
      return endpoint.attributes().get(GROUP).filter(group::equals).isPresent();
    }

    @Override
    public void onResolved(Resolution.Resolved now) {
      resolved = Optional.of(now);
      use(groups.subList(0, Math.clamp(children.keys().size(), 1, groups.size())), now);
      choose(); // there may be another group now, and nothing new of those that have begun
    }

    @Override
    public boolean onConfig(LoadBalancerProvider config) {
      groups = ((Priorities) config).groups(); // onResolved follows
      return true;
    }

    @Override
    public void onResolutionFailed(Status why) {
      if (resolved.isEmpty()) {
        context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(why));
      }
      children.onResolutionFailed(why);
    }

    @Override
    public boolean onNoEndpoints(Status why) {
      resolved = Optional.empty();
      children.keys().forEach(this::forget);
      context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(why));
      return children.onNoEndpoints(why);
    }

    @Override
    public void exitIdle() {
      children.exitIdle();
    }

    @Override
    public void shutdown() {
      patience.values().forEach(Registration::close);
      children.shutdown();
    }
  }
}
