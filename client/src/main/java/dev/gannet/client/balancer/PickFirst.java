package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tries the addresses one after the other and sends all calls over the first connection that is
 * ready.
 *
 * <pre>
 *   RESOLVING ──addresses──► TRYING ──one is ready──► USING
 *    ▲  ▲  │                  │  ▲                     │  │
 *    │  │  └──no addresses──┐ │  └──not listed now─────┘  │ lost
 *    │  │                   ▼ ▼ all failed                ▼
 *    │  └──wanted── BACKING_OFF ──a backoff is over────► IDLE
 *    └────────────────────────────call waits──────────────┘
 * </pre>
 *
 * <p>Each pass over the addresses begins with a fresh resolution. Calls fail at once from the first
 * pass that failed until one succeeds (gRFC A62), except after IDLE, where the next call's pass is
 * the first again: without calls nothing is tried.
 */
final class PickFirst implements LoadBalancer, Subchannel.Listener {
  private enum State {
    RESOLVING,
    TRYING,
    USING,
    BACKING_OFF,
    IDLE
  }

  /** What calls meet while this is not USING anything. */
  private enum Calls {
    WAIT,
    FAIL
  }

  private final Context context;
  private final Map<SocketAddress, Subchannel> subchannels = new LinkedHashMap<>();

  /** What each subchannel has told last. */
  private final Map<Subchannel, SubchannelState> states = new LinkedHashMap<>();

  /** Of the pass that goes on: who is still to be tried, and how the others have failed. */
  private final List<Subchannel> untried = new ArrayList<>();

  private final List<Status> failures = new ArrayList<>();
  private Optional<Subchannel> current = Optional.empty();
  private State state = State.RESOLVING;
  private Calls calls = Calls.WAIT;

  PickFirst(Context context) {
    this.context = context;
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    Set<SocketAddress> addresses = new LinkedHashSet<>();
    for (Endpoint endpoint : resolved.endpoints()) {
      addresses.addAll(endpoint.addresses());
    }
    boolean changed = !subchannels.keySet().equals(addresses);
    boolean listed = current.map(Subchannel::address).filter(addresses::contains).isPresent();
    replaceSubchannels(addresses);
    boolean tries = state == State.TRYING && changed;
    boolean leaves = state == State.USING && !listed;
    if (state == State.RESOLVING || tries || leaves) {
      beginPass();
    }
  }

  /** Keeps the subchannels of addresses that stay, with their backoffs. */
  private void replaceSubchannels(Set<SocketAddress> addresses) {
    Map<SocketAddress, Subchannel> before = new LinkedHashMap<>(subchannels);
    subchannels.clear();
    for (SocketAddress address : addresses) {
      Subchannel kept = before.remove(address);
      subchannels.put(address, kept == null ? createSubchannel(address) : kept);
    }
    before.values().forEach(this::drop);
  }

  private Subchannel createSubchannel(SocketAddress address) {
    Subchannel created = context.createSubchannel(address, this);
    states.put(created, SubchannelState.IDLE);
    return created;
  }

  private void drop(Subchannel subchannel) {
    states.remove(subchannel);
    subchannel.shutdown();
  }

  private void beginPass() {
    state = State.TRYING;
    current = Optional.empty();
    failures.clear();
    untried.clear();
    untried.addAll(subchannels.values());
    publish(ConnectivityState.CONNECTING, Picker.waiting());
    tryNext();
  }

  private void tryNext() {
    while (!untried.isEmpty()) {
      Subchannel next = untried.removeFirst();
      SubchannelState known = stateOf(next);
      if (known.failure().isEmpty()) {
        current = Optional.of(next);
        next.connect();
        return;
      }
      failures.add(known.failure().get()); // it backs off, and so counts as tried
    }
    fail(failures);
  }

  private SubchannelState stateOf(Subchannel subchannel) {
    return states.getOrDefault(subchannel, SubchannelState.IDLE);
  }

  /** Calls fail from now on; what was told of this the first time is not told again. */
  private void fail(List<Status> reasons) {
    StringBuilder story = new StringBuilder();
    Status why = Status.UNAVAILABLE;
    for (Status reason : reasons) {
      story.append(story.isEmpty() ? "" : "; ").append(reason.description().orElse(""));
      why = reason.cause().map(why::withCause).orElse(why);
    }
    state = State.BACKING_OFF;
    current = Optional.empty();
    calls = Calls.FAIL;
    context.updateState(
        ConnectivityState.TRANSIENT_FAILURE,
        Picker.failing(
            why.withDescription("cannot connect to " + context.target() + ": " + story)));
  }

  private void publish(ConnectivityState connectivity, Picker picker) {
    if (calls == Calls.WAIT) {
      context.updateState(connectivity, picker);
    }
  }

  /** With addresses of before, the pass begins over them; without, there is nothing to try. */
  @Override
  public void onResolutionFailed(Status why) {
    if (subchannels.isEmpty()) {
      fail(List.of(why));
      state = State.RESOLVING; // the channel sees to it that there is another answer
    } else if (state == State.RESOLVING) {
      beginPass();
    }
  }

  @Override
  public void exitIdle() {
    if (state == State.IDLE) {
      resolveAnew();
      publish(ConnectivityState.CONNECTING, Picker.waiting());
    }
  }

  private void resolveAnew() {
    state = State.RESOLVING;
    context.refreshNameResolution();
  }

  @Override
  public void onState(Subchannel subchannel, SubchannelState now) {
    if (!states.containsKey(subchannel)) {
      return; // dropped meanwhile
    }
    states.put(subchannel, now);
    boolean ofCurrent = current.filter(subchannel::equals).isPresent();
    if (state == State.TRYING && ofCurrent) {
      onTried(subchannel, now);
    } else if (state == State.USING && ofCurrent) {
      onLost(now);
    } else if (state == State.BACKING_OFF && now == SubchannelState.IDLE) {
      onBackoffOver();
    }
  }

  private void onTried(Subchannel subchannel, SubchannelState now) {
    if (now == SubchannelState.READY) {
      state = State.USING;
      calls = Calls.WAIT;
      dropAllBut(subchannel);
      context.updateState(ConnectivityState.READY, Picker.using(subchannel));
    } else if (now.failure().isPresent()) {
      failures.add(now.failure().get());
      tryNext();
    }
  }

  private void dropAllBut(Subchannel kept) {
    List<Subchannel> others = new ArrayList<>(subchannels.values());
    others.remove(kept);
    subchannels.values().removeAll(others);
    others.forEach(this::drop);
  }

  private void onLost(SubchannelState now) {
    if (now == SubchannelState.IDLE) {
      rest();
    }
  }

  private void onBackoffOver() {
    if (context.isWanted()) {
      resolveAnew();
    } else {
      rest();
    }
  }

  private void rest() {
    state = State.IDLE;
    current = Optional.empty();
    calls = Calls.WAIT;
    context.updateState(ConnectivityState.IDLE, Picker.waiting());
  }

  @Override
  public void shutdown() {
    states.clear();
    subchannels.clear();
  }
}
