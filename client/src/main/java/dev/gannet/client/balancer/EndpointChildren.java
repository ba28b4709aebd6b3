package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The children of a policy that has one for each endpoint. An endpoint that remains keeps its
 * child, with its connection and statistics.
 *
 * @param <T> the tracker of an endpoint's calls
 */
final class EndpointChildren<T extends CallTracker> {
  /** The parent policy. */
  interface Owner<T extends CallTracker> extends EndpointChild.Owner<T> {
    /** Publishes the state of all children, and a picker over them. */
    void publish();
  }

  private final Owner<T> owner;
  private final Function<Endpoint, T> trackers;
  private final Map<EndpointKey, EndpointChild<T>> byKey = new LinkedHashMap<>();
  private boolean updating;

  /**
   * Without children at first.
   *
   * @param trackers creates the tracker of a new endpoint
   */
  EndpointChildren(Owner<T> owner, Function<Endpoint, T> trackers) {
    this.owner = owner;
    this.trackers = trackers;
  }

  /**
   * Replaces the endpoints; duplicates are removed. What changes meanwhile is published once; then
   * no picker uses the children of removed endpoints any more, and they are shut down.
   *
   * @param then what else belongs to the change
   */
  void update(List<Endpoint> endpoints, Runnable then) {
    List<EndpointChild<T>> gone;
    updating = true;
    try {
      gone = replace(endpoints);
      then.run();
    } finally {
      updating = false;
    }
    owner.publish();
    gone.forEach(EndpointChild::shutdown);
  }

  /** A child has changed. */
  void publish() {
    if (!updating) {
      owner.publish();
    }
  }

  /** Calls fail if no endpoints are known. */
  void onResolutionFailed(Status why) {
    if (byKey.isEmpty()) {
      fail(why);
    }
  }

  /** There are no endpoints any more: calls fail. */
  void removeAll(Status why) {
    List<EndpointChild<T>> gone = replace(List.of());
    fail(why);
    gone.forEach(EndpointChild::shutdown);
  }

  private void fail(Status why) {
    LoadBalancer.Context context = owner.context();
    String what = "cannot connect to " + context.target() + ": ";
    context.updateState(
        ConnectivityState.TRANSIENT_FAILURE,
        Picker.failing(why.withDescription(what + why.description().orElse(""))));
  }

  private List<EndpointChild<T>> replace(List<Endpoint> endpoints) {
    Map<EndpointKey, EndpointChild<T>> before = new LinkedHashMap<>(byKey);
    byKey.clear();
    for (Endpoint endpoint : endpoints) {
      EndpointKey key = EndpointKey.of(endpoint);
      if (byKey.containsKey(key)) {
        continue;
      }
      EndpointChild<T> kept = before.remove(key);
      if (kept == null) {
        byKey.put(key, new EndpointChild<>(owner, endpoint, trackers.apply(endpoint)));
      } else {
        byKey.put(key, kept);
        kept.update(endpoint);
      }
    }
    return new ArrayList<>(before.values());
  }

  List<EndpointChild<T>> all() {
    return List.copyOf(byKey.values());
  }

  List<EndpointChild<T>> in(ConnectivityState state) {
    return byKey.values().stream().filter(it -> it.state() == state).toList();
  }

  boolean contains(EndpointChild<T> child) {
    return byKey.get(EndpointKey.of(child.endpoint())) == child;
  }

  void shutdown() {
    all().forEach(EndpointChild::shutdown);
    byKey.clear();
  }
}
