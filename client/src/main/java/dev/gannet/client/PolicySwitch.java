package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.journal.EventLog;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.subchannel.ManagedSubchannel;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.Succession;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a channel, and the one that will replace it ({@link Succession}), so that a service
 * config that changes the policy fails no call. There is none before {@link #begin}, and after
 * {@link #end} or if the policy has thrown.
 *
 * <p>New endpoints are for the newest policy only, so that the old one keeps its connections
 * meanwhile. If the newest one throws, the old one stays, and is told what it has missed: the
 * newest endpoints, and then again why there were none since, if there were none. If it throws at
 * that, it has failed as any policy that is alone. If the old one throws, the newest one takes over
 * at once.
 *
 * <p>Confined to the channel's {@link SerialTasks}, except for {@link #subchannels}.
 */
final class PolicySwitch {
  /** Receives what the current policy publishes. */
  interface Owner {
    void become(ConnectivityState state, Picker picker, String policy);
  }

  /** A policy and its last published state and picker. */
  private static final class Published implements Succession.Member {
    private final ActivePolicy policy;
    private ConnectivityState state = ConnectivityState.CONNECTING;
    private Picker picker = Picker.queueing();

    /** The newest endpoints, if only the policy that is to replace this one was told. */
    private Resolution.@Nullable Resolved missed;

    Published(ActivePolicy policy) {
      this.policy = policy;
    }

    @Override
    public boolean isReady() {
      return state == ConnectivityState.READY;
    }

    @Override
    public boolean isConnecting() {
      return state == ConnectivityState.CONNECTING;
    }
  }

  private final Function<LoadBalancerProvider, ActivePolicy> maker;
  private final Owner owner;
  private final EventLog events;

  /** The name of the policy that calls use or have used last; empty before the first one. */
  private String inUse = "";

  /** In the order of their creation, so that simulations are repeatable. */
  private final Map<ManagedSubchannel, ActivePolicy> subchannels =
      new ConcurrentSkipListMap<>(Comparator.comparingLong(ManagedSubchannel::id));

  private final Succession<Published> policies = new Succession<>(this::report);

  /** Tells a policy why the newest resolution brought no endpoints; null if it brought some. */
  private @Nullable Consumer<ActivePolicy> failure;

  /** Without a policy; writes it into these events if a policy with another name is used. */
  PolicySwitch(Function<LoadBalancerProvider, ActivePolicy> maker, Owner owner, EventLog events) {
    this.maker = maker;
    this.owner = owner;
    this.events = events;
  }

  /** The subchannels of both; a view. Any thread. */
  Collection<ManagedSubchannel> subchannels() {
    return Collections.unmodifiableSet(subchannels.keySet());
  }

  /** Starts this policy. */
  void begin(LoadBalancerProvider provider) {
    Published made = new Published(maker.apply(provider));
    if (policies.members().isEmpty()) {
      onUsed(made.policy.name());
    }
    endAll(policies.add(made));
    made.policy.begin();
  }

  /**
   * Gives the settings of this policy to the one in use, if they are of the same kind; otherwise
   * uses this one as soon as it can accept calls. Passes the endpoints to it.
   */
  void onResolved(LoadBalancerProvider wanted, Resolution.Resolved resolved) {
    failure = null;
    setMissed(null); // one that stays because another one throws now is told these ones below
    use(wanted);
    setMissed(resolved);
    List<Published> all = policies.members();
    if (!all.isEmpty()) { // it may have thrown at once
      tellMissed(all.getLast());
    }
  }

  private void setMissed(Resolution.@Nullable Resolved endpoints) {
    for (Published each : policies.members()) {
      each.missed = endpoints;
    }
  }

  private void tellMissed(Published to) {
    Resolution.Resolved endpoints = to.missed;
    if (endpoints == null) {
      return;
    }
    to.missed = null;
    to.policy.onResolved(endpoints);
    if (failure != null) {
      failure.accept(to.policy);
    }
  }

  private void use(LoadBalancerProvider wanted) {
    for (Published each : policies.members()) {
      if (each.policy.tryReconfigure(wanted)) {
        endAll(policies.keep(each));
        return;
      }
    }
    if (!policies.members().isEmpty()) { // it has not thrown
      begin(wanted);
    }
  }

  void onResolutionFailed(Status why) {
    failure = policy -> policy.onResolutionFailed(why);
    policies.members().forEach(it -> it.policy.onResolutionFailed(why));
  }

  /** Returns whether the policy that calls use from now on, or soon, uses no endpoints. */
  boolean onNoEndpoints(Status why) {
    failure = policy -> policy.onNoEndpoints(why);
    List<Published> without =
        policies.members().stream().filter(it -> it.policy.onNoEndpoints(why)).toList();
    List<Published> all = policies.members();
    return !all.isEmpty() && without.contains(all.getLast());
  }

  void exitIdle() {
    policies.members().forEach(it -> it.policy.exitIdle());
  }

  /** One of the policies has published. */
  void publish(ActivePolicy policy, ConnectivityState state, Picker picker) {
    for (Published each : policies.members()) {
      if (each.policy == policy) {
        each.state = state;
        each.picker = picker;
        endAll(policies.onPublished(each));
      }
    }
  }

  private void report(Published current) {
    onUsed(current.policy.name());
    owner.become(current.state, current.picker, current.policy.name());
  }

  private void onUsed(String name) {
    if (!inUse.isEmpty() && !inUse.equals(name)) {
      String text = "from " + inUse + " to " + name;
      events.add(EventLog.Severity.INFO, "load-balancing policy changed", text);
    }
    inUse = name;
  }

  /**
   * One of the policies has thrown, and has ended. If it is the newest one, the old one stays, is
   * told what it has missed, and may throw in turn. If it is the old one, the newest takes over at
   * once, and calls wait for its connections.
   *
   * @return whether the channel has no policy any more
   */
  boolean onFailed(ActivePolicy failed) {
    List<Published> all = policies.members();
    if (all.size() < 2) {
      end();
      return true;
    }
    Published old = all.getFirst();
    if (old.policy == failed) {
      endAll(policies.takeOver());
    } else {
      endAll(policies.keep(old));
      tellMissed(old);
    }
    return false;
  }

  /** Ends both policies, and what is left of earlier ones; may be called again if it has thrown. */
  void end() {
    policies.members().forEach(it -> it.policy.end());
    policies.end();
    subchannels.keySet().forEach(ManagedSubchannel::shutdownInTask);
  }

  /** Without a lambda, which the first call of a JVM would wait for. */
  private void endAll(List<Published> ended) {
    for (Published each : ended) {
      end(each);
    }
  }

  private void end(Published ended) {
    ended.policy.end();
    subchannels.forEach((subchannel, policy) -> {
      if (policy == ended.policy) {
        subchannel.shutdownInTask();
      }
    });
  }

  void register(ManagedSubchannel subchannel, ActivePolicy policy) {
    subchannels.put(subchannel, policy);
  }

  /** The subchannel has ended; returns false if it was not known. */
  boolean remove(ManagedSubchannel subchannel) {
    return subchannels.remove(subchannel) != null;
  }
}
