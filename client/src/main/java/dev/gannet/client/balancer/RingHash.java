package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Sends calls with the same hash to the same endpoint, or to the next one on a ring while that has
 * failed (gRFC A42). Endpoints are connected to when a call is sent to them, and one of them if the
 * user asks for a connection.
 */
final class RingHash implements LoadBalancer, EndpointChildren.Owner<CallTracker> {
  private final Context context;
  private RingHashSettings settings;
  private final EndpointChildren<CallTracker> children;
  private Optional<HashRing> ring = Optional.empty();

  static LoadBalancerProvider provider(RingHashSettings settings) {
    return new BuiltInPolicy(
        "ring_hash_experimental",
        settings,
        context -> new RingHash(context, settings),
        config -> provider(settings.with(new ConfigFields(config))));
  }

  RingHash(Context context, RingHashSettings settings) {
    this.context = context;
    this.settings = settings;
    this.children = new EndpointChildren<>(this, endpoint -> CallTracker.NONE);
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    if (resolved.endpoints().isEmpty()) {
      onNoEndpoints(LeftEndpoints.NONE);
      return;
    }
    children.update(HashRing.merged(resolved.endpoints()), this::remakeRing);
  }

  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    Optional<RingHashSettings> now = BuiltInPolicy.settingsIn(config, RingHashSettings.class);
    settings = now.orElse(settings); // the resolution that follows remakes the ring
    return now.isPresent();
  }

  private void remakeRing() {
    List<Endpoint> endpoints = children.all().stream().map(EndpointChild::endpoint).toList();
    ring = Optional.of(HashRing.of(endpoints, settings));
  }

  @Override
  public void onResolutionFailed(Status why) {
    children.onResolutionFailed(why);
  }

  @Override
  public boolean onNoEndpoints(Status why) {
    ring = Optional.empty();
    children.removeAll(why);
    return true;
  }

  @Override
  public void onChange(EndpointChild<CallTracker> child) {
    children.publish();
  }

  @Override
  public void publish() {
    if (ring.isEmpty()) {
      return;
    }
    ConnectivityState state = state();
    context.updateState(state, new OnRing(this, ring.get(), places(), settings));
    boolean needsOne =
        state == ConnectivityState.TRANSIENT_FAILURE || state == ConnectivityState.CONNECTING;
    if (needsOne && children.in(ConnectivityState.CONNECTING).isEmpty()) {
      children.in(ConnectivityState.IDLE).stream().findFirst().ifPresent(EndpointChild::connect);
    }
  }

  /** The aggregated state by A42: a single failed endpoint does not fail calls. */
  private ConnectivityState state() {
    int failed = children.in(ConnectivityState.TRANSIENT_FAILURE).size();
    if (!children.in(ConnectivityState.READY).isEmpty()) {
      return ConnectivityState.READY;
    }
    if (failed >= 2) {
      return ConnectivityState.TRANSIENT_FAILURE;
    }
    if (!children.in(ConnectivityState.CONNECTING).isEmpty()
        || (failed == 1 && children.all().size() > 1)) {
      return ConnectivityState.CONNECTING;
    }
    return failed == 1 ? ConnectivityState.TRANSIENT_FAILURE : ConnectivityState.IDLE;
  }

  private List<Place> places() {
    return children.all().stream().map(it -> new Place(it, it.state(), it.picker())).toList();
  }

  /** An endpoint with its state when the picker was created. */
  private record Place(EndpointChild<CallTracker> child, ConnectivityState state, Picker picker) {}

  /** Runs on callers' threads. */
  private record OnRing(
      RingHash policy, HashRing ring, List<Place> places, RingHashSettings settings)
      implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      Optional<Long> hash = settings.hashOf(args);
      return hash.isPresent()
          ? pickFrom(ring.find(hash.get()), args)
          : pickAny(ring.find(policy.context.random().nextLong()), args);
    }

    /** The first endpoint that has not failed decides. */
    private Pick pickFrom(int start, PickArgs args) {
      for (int i = 0; i < ring.size(); i++) {
        Place place = places.get(ring.endpointAt(start + i));
        if (place.state() == ConnectivityState.READY) {
          return place.picker().pick(args);
        }
        if (place.state() == ConnectivityState.IDLE) {
          policy.connectLater(place.child());
        }
        if (place.state() != ConnectivityState.TRANSIENT_FAILURE) {
          return Pick.queue();
        }
      }
      return places.get(ring.endpointAt(start)).picker().pick(args);
    }

    /** Any ready endpoint; and another one is connected to if none is connecting. */
    private Pick pickAny(int start, PickArgs args) {
      boolean asked = false;
      for (Place place : places) {
        asked |= place.state() == ConnectivityState.CONNECTING;
      }
      BitSet seen = new BitSet(places.size());
      for (int i = 0; i < ring.size() && seen.cardinality() < places.size(); i++) {
        int endpoint = ring.endpointAt(start + i);
        Place place = places.get(endpoint);
        if (place.state() == ConnectivityState.READY) {
          return place.picker().pick(args);
        }
        if (place.state() == ConnectivityState.IDLE && !asked) {
          policy.connectLater(place.child());
          asked = true;
        }
        seen.set(endpoint);
      }
      return asked ? Pick.queue() : places.get(ring.endpointAt(start)).picker().pick(args);
    }
  }

  private void connectLater(EndpointChild<CallTracker> child) {
    context.execute(() -> {
      if (child.state() == ConnectivityState.IDLE && children.contains(child)) {
        child.connect();
      }
    });
  }

  /**
   * One endpoint is enough to be READY. It is any one, by its share of the ring, as for a call
   * without a hash: the first one would get the connections of all clients that connect before
   * their first call. A waiting call has requested its own endpoint in its pick.
   */
  @Override
  public void exitIdle() {
    if (ring.isPresent() && state() == ConnectivityState.IDLE) {
      HashRing on = ring.get();
      children.all().get(on.endpointAt(on.find(context.random().nextLong()))).connect();
    }
  }

  @Override
  public void shutdown() {
    ring = Optional.empty();
    children.shutdown();
  }
}
