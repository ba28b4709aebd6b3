package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.subchannel.ManagedSubchannel;
import dev.gannet.client.tasks.SerialTasks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a channel, and the one that will replace it: calls use the old one until the new
 * one is ready, so that a service config that changes the policy fails no call.
 *
 * <pre>
 *   NONE ──begin──► ONE ──another is wanted, and this one is READY──► TWO
 *    ▲               ▲ │                                               │
 *    │               │ └──another is wanted, and this one is not──► ONE, the other
 *    │               └──the new one is not CONNECTING any more,────────┤
 *    │                  or the old one is not READY any more           │
 *    └──end, or the policy has thrown──────────────────────────────────┘
 * </pre>
 *
 * <p>Confined to the channel's {@link SerialTasks}, except for {@link #subchannels}.
 */
final class PolicySwitch {
  /** Receives what the current policy publishes. */
  interface Owner {
    void become(ConnectivityState state, Picker picker, String policy);
  }

  /** A policy and its last published state and picker. */
  private static final class Published {
    private final ActivePolicy policy;
    private ConnectivityState state = ConnectivityState.CONNECTING;
    private Picker picker = Picker.queueing();

    Published(ActivePolicy policy) {
      this.policy = policy;
    }
  }

  private final Function<LoadBalancerProvider, ActivePolicy> maker;
  private final Owner owner;

  /** In the order of their creation, so that simulations are repeatable. */
  private final Map<ManagedSubchannel, ActivePolicy> subchannels =
      new ConcurrentSkipListMap<>(Comparator.comparingLong(ManagedSubchannel::id));

  private @Nullable Published inForce;
  private @Nullable Published next;

  PolicySwitch(Function<LoadBalancerProvider, ActivePolicy> maker, Owner owner) {
    this.maker = maker;
    this.owner = owner;
  }

  /** The subchannels of both; a view. Any thread. */
  Collection<ManagedSubchannel> subchannels() {
    return Collections.unmodifiableSet(subchannels.keySet());
  }

  /** Starts this policy, if there is none. */
  void begin(LoadBalancerProvider provider) {
    inForce = new Published(maker.apply(provider));
    inForce.policy.begin();
  }

  /**
   * Gives the settings of this policy to the one in use, if they are of the same kind; otherwise
   * uses this one as soon as it can accept calls. Passes the endpoints to it.
   */
  void onResolved(LoadBalancerProvider wanted, Resolution.Resolved resolved) {
    Published now = inForce;
    if (now == null) {
      return;
    }
    if (now.policy.takes(wanted)) {
      dropNext();
      now.policy.onResolved(resolved);
      return;
    }
    if (inForce == null) {
      return; // it has thrown
    }
    if (next == null || !next.policy.takes(wanted)) {
      dropNext();
      Published made = new Published(maker.apply(wanted));
      if (now.state == ConnectivityState.READY) {
        next = made;
      } else {
        inForce = made;
        end(now);
        report(made);
      }
      made.policy.begin();
    }
    Published to = next == null ? inForce : next;
    if (to != null) { // it may have thrown at once
      to.policy.onResolved(resolved);
    }
  }

  void onResolutionFailed(Status why) {
    for (Published each : both()) {
      each.policy.onResolutionFailed(why);
    }
  }

  /** Returns whether the policy that calls use from now on, or soon, uses no endpoints. */
  boolean onNoEndpoints(Status why) {
    List<Published> without = both().stream().filter(it -> it.policy.onNoEndpoints(why)).toList();
    return without.contains(next == null ? inForce : next);
  }

  void exitIdle() {
    for (Published each : both()) {
      each.policy.exitIdle();
    }
  }

  private List<Published> both() {
    List<Published> both = new ArrayList<>();
    if (inForce != null) {
      both.add(inForce);
    }
    if (next != null) {
      both.add(next);
    }
    return both;
  }

  /** One of the policies has published. */
  void publish(ActivePolicy from, ConnectivityState state, Picker picker) {
    for (Published each : both()) {
      if (each.policy == from) {
        each.state = state;
        each.picker = picker;
        onPublished(each);
      }
    }
  }

  private void onPublished(Published by) {
    Published then = next;
    if (then == null || (by != then && by.state == ConnectivityState.READY)) {
      report(by);
    } else if (by != then || by.state != ConnectivityState.CONNECTING) {
      takeOver(then);
    }
  }

  private void report(Published current) {
    owner.become(current.state, current.picker, current.policy.provider().policyName());
  }

  /** Calls move before the connections of the old policy close, so that none uses a closed one. */
  private void takeOver(Published then) {
    Published old = inForce;
    inForce = then;
    next = null;
    report(then);
    if (old != null) {
      end(old);
    }
  }

  /**
   * One of the policies has thrown, and has ended.
   *
   * @return whether the channel has no policy any more
   */
  boolean onFailed(ActivePolicy failed) {
    if (next != null && next.policy == failed) {
      dropNext();
      return false;
    }
    end();
    return true;
  }

  /** Ends both policies, and what is left of earlier ones; may be called again if it has thrown. */
  void end() {
    dropNext();
    Published last = inForce;
    inForce = null;
    if (last != null) {
      last.policy.end();
    }
    subchannels.keySet().forEach(ManagedSubchannel::shutdownInTask);
  }

  private void dropNext() {
    Published dropped = next;
    next = null;
    if (dropped != null) {
      end(dropped);
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

  void register(ManagedSubchannel subchannel, ActivePolicy of) {
    subchannels.put(subchannel, of);
  }

  /** The subchannel has ended; returns false if it was not known. */
  boolean remove(ManagedSubchannel subchannel) {
    return subchannels.remove(subchannel) != null;
  }
}
