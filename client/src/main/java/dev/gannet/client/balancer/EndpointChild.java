package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.List;
import java.util.Optional;

/**
 * One endpoint of a policy that connects to each endpoint: a {@code pick_first} over the endpoint's
 * addresses (gRFC A61), its state and its picker, and the health that its server reports ({@link
 * EndpointHealth}), if that is checked.
 *
 * <pre>
 *   RESTING ──connect──► WORKING, in the state of its pick_first ──shutdown──► OVER
 * </pre>
 *
 * @param <T> the tracker of the endpoint's calls
 */
final class EndpointChild<T extends CallTracker> implements ForwardingContext, ReadyEndpoint<T> {
  private enum Phase {
    RESTING,
    WORKING,
    OVER
  }

  /** The parent policy. */
  interface Owner<T extends CallTracker> {
    LoadBalancer.Context context();

    /** The child has published its state, or another picker. */
    void onChange(EndpointChild<T> child);
  }

  private final Owner<T> owner;
  private final T tracker;
  private final PickFirst policy;
  private Endpoint endpoint;
  private Phase phase = Phase.RESTING;

  /** The state and the picker of its pick_first. */
  private ConnectivityState state = ConnectivityState.IDLE;

  private Picker picker = Picker.queueing();

  /**
   * The state and the picker that the parent policy sees: with the health, and failing until it is
   * READY.
   */
  private ConnectivityState shownState = ConnectivityState.IDLE;

  private Picker shownPicker = Picker.queueing();
  private final EndpointHealth health = new EndpointHealth(this);

  /** The subchannel that was READY last. */
  private Optional<Subchannel> chosen = Optional.empty();

  EndpointChild(Owner<T> owner, Endpoint endpoint, T tracker) {
    this.owner = owner;
    this.endpoint = endpoint;
    this.tracker = tracker;
    this.policy = new PickFirst(this, AddressOrder.AS_RESOLVED);
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public T tracker() {
    return tracker;
  }

  ConnectivityState state() {
    return shownState;
  }

  @Override
  public Picker picker() {
    return shownPicker;
  }

  @Override
  public Subchannel subchannel() {
    return chosen.orElseThrow(); // it is READY, or was
  }

  /** The same endpoint, possibly with its addresses in another order or with other attributes. */
  void update(Endpoint now) {
    endpoint = now;
    chosen.ifPresent(health::watch);
    if (phase == Phase.WORKING) {
      policy.onResolved(resolved());
    }
  }

  /** Connects, unless it is connecting or connected. */
  void connect() {
    if (phase == Phase.RESTING) {
      phase = Phase.WORKING;
      policy.onResolved(resolved());
    } else {
      policy.exitIdle();
    }
  }

  private Resolution.Resolved resolved() {
    return Resolution.of(List.of(endpoint));
  }

  void shutdown() {
    phase = Phase.OVER;
    health.stop();
    policy.shutdown();
  }

  @Override
  public LoadBalancer.Context context() {
    return owner.context();
  }

  @Override
  public Subchannel createSubchannel(
      Endpoint at, Subchannel.Listener listener, SubchannelOptions options) {
    CallTracker both = CallTracker.both(options.callTracker(), tracker);
    return context().createSubchannel(at, new Chosen(listener), options.withCallTracker(both));
  }

  /** Forwards all states, but first records which subchannel is READY. */
  private final class Chosen implements Subchannel.Listener {
    private final Subchannel.Listener listener;

    Chosen(Subchannel.Listener listener) {
      this.listener = listener;
    }

    @Override
    public void onState(Subchannel subchannel, SubchannelState now) {
      if (now == SubchannelState.READY && phase == Phase.WORKING && policy.uses(subchannel)) {
        chosen = Optional.of(subchannel);
        health.watch(subchannel);
      }
      listener.onState(subchannel, now);
    }
  }

  /** The health of the server has changed. */
  void onHealth() {
    if (phase != Phase.OVER) {
      show();
    }
  }

  /**
   * Once calls fail, they go on to fail, and do not wait, until it is READY or begins anew (gRFC
   * A61).
   */
  private void show() {
    ConnectivityState now = health.state(state);
    boolean keepsFailing =
        now == ConnectivityState.CONNECTING && shownState == ConnectivityState.TRANSIENT_FAILURE;
    if (!keepsFailing) {
      shownState = now;
      shownPicker = health.picker(state, picker);
    }
    owner.onChange(this);
  }

  @Override
  public void updateState(ConnectivityState now, Picker next) {
    if (phase != Phase.OVER) {
      state = now;
      picker = next;
      if (now == ConnectivityState.IDLE) {
        health.forget();
      }
      show();
    }
  }

  /** The other endpoints serve meanwhile, so this one does not wait for other addresses. */
  @Override
  public void refreshNameResolution() {
    context().refreshNameResolution();
    if (phase == Phase.WORKING) {
      policy.onResolved(resolved());
    }
  }

  /** The parent policy decides when to connect. */
  @Override
  public boolean hasWaitingCalls() {
    return true;
  }
}
