package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The children of a policy that has one for each endpoint. An endpoint that remains keeps its
 * child, with its connection and statistics.
 *
 * @param <T> the tracker of an endpoint's calls
 */
final class EndpointChildren<T extends CallTracker> {
  private final EndpointChild.Owner<T> owner;
  private final Function<Endpoint, T> trackers;
  private final Map<Set<SocketAddress>, EndpointChild<T>> byKey = new LinkedHashMap<>();

  /**
   * Without children at first.
   *
   * @param trackers creates the tracker of a new endpoint
   */
  EndpointChildren(EndpointChild.Owner<T> owner, Function<Endpoint, T> trackers) {
    this.owner = owner;
    this.trackers = trackers;
  }

  /**
   * Replaces the endpoints; duplicates are removed.
   *
   * @return the children of removed endpoints; to be shut down when no picker uses them any more
   */
  List<EndpointChild<T>> replace(List<Endpoint> endpoints) {
    Map<Set<SocketAddress>, EndpointChild<T>> before = new LinkedHashMap<>(byKey);
    byKey.clear();
    for (Endpoint endpoint : endpoints) {
      Set<SocketAddress> key = EndpointChild.keyOf(endpoint);
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

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  boolean contains(EndpointChild<T> child) {
    return byKey.get(EndpointChild.keyOf(child.endpoint())) == child;
  }

  void shutdown() {
    all().forEach(EndpointChild::shutdown);
    byKey.clear();
  }
}
