package dev.gannet.client.balancer;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.journal.ChannelJournal;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/**
 * Tries the addresses in their order, alternating IPv6 and IPv4, and sends all calls over the first
 * connection that is ready (gRFC A61, RFC 8305 §4 and §5: "happy eyeballs"). The next address is
 * tried when one has failed, or in parallel after 250 ms.
 *
 * <pre>
 *   RESOLVING ──addresses──► TRYING ──one is ready──► USING ──lost──► IDLE ──call waits──► TRYING
 *                              │                        ▲               ▲
 *                   all failed ▼                        │               │
 *                           RETRYING ──one is ready─────┘               │
 *                              └──a backoff is over, and none is wanted─┘
 *
 *   TRYING, RETRYING ──other addresses──► TRYING
 *   USING ──its address is not listed now──► TRYING
 *   any ──there are no endpoints──► RESOLVING
 * </pre>
 *
 * <p>TRYING is the first pass over the addresses. RETRYING follows it: each address is tried again
 * as soon as its own backoff is over, whatever the others do, so that one that does not answer
 * delays no other. Without calls, nothing is tried again.
 *
 * <p>The loss of the connection requests a new resolution. So does a pass over known addresses, and
 * so do as many failures as there are addresses; other addresses in its answer replace them. Calls
 * that wait do not fail before the answer to the request of their pass has arrived. They fail at
 * once from the first failed pass until one address is ready (gRFC A62), except after IDLE, where
 * the next pass is the first again.
 */
final class PickFirst implements LoadBalancer, Subchannel.Listener {
  /** The time after which the next address is tried in parallel (RFC 8305 §5). */
  private static final Duration HEAD_START = Duration.ofMillis(250);

  private enum State {
    RESOLVING,
    TRYING,
    USING,
    RETRYING,
    IDLE
  }

  /** How calls are handled while there is no connection. */
  private enum Calls {
    WAIT,
    FAIL
  }

  /** Whether the resolver has answered since it was asked. */
  private enum Answer {
    EXPECTED,
    GIVEN
  }

  private final Context context;
  private AddressOrder order;

  /** The endpoints of the last result. */
  private List<Endpoint> known = List.of();

  /** Each address of them as an endpoint, in the order in which they are tried. */
  private Map<EndpointKey, Endpoint> listed = Map.of();

  /**
   * The subchannels of the current pass, or of the last one. When one is chosen, the others are
   * shut down, and the next pass makes them again.
   */
  private final Map<EndpointKey, Subchannel> subchannels = new LinkedHashMap<>();

  /** The last reported state of each subchannel. */
  private final Map<Subchannel, SubchannelState> states = new LinkedHashMap<>();

  /** The subchannels that the current pass has yet to try. */
  private final List<Subchannel> untried = new ArrayList<>();

  /** The subchannels that are being tried, in the pass or after it. */
  private final Set<Subchannel> trying = new LinkedHashSet<>();

  /** The last failure of each address, since the pass began; the latest is the last. */
  private final SequencedMap<SocketAddress, Status> failures = new LinkedHashMap<>();

  /** How many attempts have failed since the pass began, or since the resolver was asked. */
  private int failedAttempts;

  private Optional<Registration> headStart = Optional.empty();
  private Optional<Subchannel> current = Optional.empty();
  private State state = State.RESOLVING;
  private Answer answer = Answer.EXPECTED;
  private Calls calls = Calls.WAIT;

  /** The {@link Context#failures} that another pass has followed. */
  private long failuresBefore;

  static LoadBalancerProvider provider(AddressOrder order) {
    return new BuiltInPolicy(
        "pick_first",
        order,
        context -> new PickFirst(context, order),
        config -> provider(config.bool("shuffleAddressList").map(PickFirst::orderOf).orElse(order)),
        false);
  }

  private static AddressOrder orderOf(boolean shuffled) {
    return shuffled ? AddressOrder.SHUFFLED : AddressOrder.AS_RESOLVED;
  }

  PickFirst(Context context, AddressOrder order) {
    this.context = context;
    this.order = order;
    this.failuresBefore = context.failures();
  }

  /** A connection in use needs no other subchannels: the next pass makes those that are listed. */
  @Override
  public void onResolved(Resolution.Resolved resolved) {
    if (resolved.endpoints().isEmpty()) {
      onNoEndpoints(LeftEndpoints.NONE);
      return;
    }
    answer = Answer.GIVEN;
    known = resolved.endpoints();
    listed = inTurn(known);
    boolean begins =
        switch (state) {
          case RESOLVING -> true;
          case TRYING, RETRYING -> !subchannels.keySet().equals(listed.keySet());
          case USING -> current.map(EndpointKey::of).filter(listed::containsKey).isEmpty();
          case IDLE -> false;
        };
    if (begins) {
      beginPass();
    } else {
      failIfAwaited();
    }
  }

  /** The answer has brought nothing else to try. */
  private void failIfAwaited() {
    if (state == State.RETRYING && calls == Calls.WAIT) {
      failCalls();
    }
  }

  /** The next pass has the new order. */
  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    Optional<AddressOrder> now = BuiltInPolicy.settingsIn(config, AddressOrder.class);
    order = now.orElse(order);
    return now.isPresent();
  }

  /**
   * All addresses without duplicates, each as an endpoint, alternating between the family of the
   * first one and the other.
   */
  private Map<EndpointKey, Endpoint> inTurn(List<Endpoint> endpoints) {
    List<Endpoint> ordered = new ArrayList<>(endpoints);
    if (order == AddressOrder.SHUFFLED) {
      Collections.shuffle(ordered, context.random());
    }
    Map<EndpointKey, Endpoint> all = new LinkedHashMap<>();
    for (Endpoint endpoint : ordered) {
      for (Endpoint each : endpoint.perAddress()) {
        all.putIfAbsent(EndpointKey.of(each), each);
      }
    }
    return all.size() > 1 ? alternating(all) : all;
  }

  private static Map<EndpointKey, Endpoint> alternating(Map<EndpointKey, Endpoint> all) {
    boolean first = isIpv6(all.values().iterator().next());
    List<Endpoint> same = all.values().stream().filter(it -> isIpv6(it) == first).toList();
    List<Endpoint> other = all.values().stream().filter(it -> isIpv6(it) != first).toList();
    Map<EndpointKey, Endpoint> turns = new LinkedHashMap<>();
    for (int i = 0; i < Math.max(same.size(), other.size()); i++) {
      same.stream().skip(i).limit(1).forEach(it -> turns.put(EndpointKey.of(it), it));
      other.stream().skip(i).limit(1).forEach(it -> turns.put(EndpointKey.of(it), it));
    }
    return turns;
  }

  private static boolean isIpv6(Endpoint endpoint) {
    return endpoint.onlyAddress() instanceof InetSocketAddress inet
        && inet.getAddress() instanceof Inet6Address;
  }

  /** Keeps the subchannels of addresses that remain, with their backoffs. */
  private void replaceSubchannels(Map<EndpointKey, Endpoint> endpoints) {
    Map<EndpointKey, Subchannel> before = new LinkedHashMap<>(subchannels);
    subchannels.clear();
    for (Map.Entry<EndpointKey, Endpoint> each : endpoints.entrySet()) {
      Subchannel made = before.remove(each.getKey());
      subchannels.put(each.getKey(), made == null ? createSubchannel(each.getValue()) : made);
    }
    for (Subchannel unlisted : before.values()) {
      drop(unlisted);
    }
  }

  private Subchannel createSubchannel(Endpoint endpoint) {
    Subchannel created = context.createSubchannel(endpoint, this);
    states.put(created, SubchannelState.IDLE);
    return created;
  }

  private void drop(Subchannel subchannel) {
    states.remove(subchannel);
    subchannel.shutdown();
  }

  private void beginPass() {
    replaceSubchannels(listed);
    state = State.TRYING;
    current = Optional.empty();
    failures.clear();
    failedAttempts = 0;
    trying.clear();
    untried.clear();
    untried.addAll(subchannels.values());
    publish(ConnectivityState.CONNECTING, Picker.queueing());
    tryNext();
  }

  private void tryNext() {
    stopHeadStart();
    while (!untried.isEmpty()) {
      Subchannel next = untried.removeFirst();
      Optional<Status> failure = stateOf(next).failure();
      if (failure.isEmpty()) {
        tryNow(asListed(next));
        return;
      }
      failures.put(next.address(), failure.get()); // it is in backoff, so it counts as tried
    }
    if (trying.isEmpty()) {
      onAllFailed();
    }
  }

  /**
   * One that is IDLE has nothing to keep, so it is replaced if its endpoint has other attributes
   * now: a connection keeps its attributes until it ends.
   */
  private Subchannel asListed(Subchannel next) {
    Endpoint endpoint =
        Objects.requireNonNull(listed.get(EndpointKey.of(next))); // as all of the pass
    if (stateOf(next) != SubchannelState.IDLE || next.attributes().equals(endpoint.attributes())) {
      return next;
    }
    Subchannel replacement = createSubchannel(endpoint);
    subchannels.put(EndpointKey.of(next), replacement);
    drop(next);
    return replacement;
  }

  /** Known addresses may be too old: calls that wait get another chance with the answer. */
  private void onAllFailed() {
    state = State.RETRYING;
    if (answer == Answer.GIVEN || calls == Calls.FAIL) {
      failCalls();
    }
    retry();
  }

  /** Tries subchannels whose backoff is over; some may have waited for the end of the pass. */
  private void retry() {
    List<Subchannel> again = new ArrayList<>(subchannels.values());
    again.removeIf(it -> stateOf(it) != SubchannelState.IDLE || trying.contains(it));
    if (again.isEmpty()) {
      return;
    }
    if (trying.isEmpty() && !isWanted()) {
      becomeIdle();
    } else {
      again.forEach(it -> tryNow(asListed(it)));
    }
  }

  /** Whether calls wait, or have failed since this was last asked. */
  private boolean isWanted() {
    long failuresNow = context.failures();
    boolean wanted = context.hasWaitingCalls() || failuresNow != failuresBefore;
    failuresBefore = failuresNow;
    return wanted;
  }

  private void tryNow(Subchannel next) {
    trying.add(next);
    if (!untried.isEmpty()) {
      headStart = Optional.of(context.schedule(this::onHeadStartOver, HEAD_START));
    }
    next.connect();
  }

  private void onHeadStartOver() {
    headStart = Optional.empty();
    if (state == State.TRYING) {
      tryNext();
    }
  }

  private void stopHeadStart() {
    headStart.ifPresent(Registration::close);
    headStart = Optional.empty();
  }

  private SubchannelState stateOf(Subchannel subchannel) {
    return states.getOrDefault(subchannel, SubchannelState.IDLE);
  }

  /** Calls fail from now on, until there is a connection. */
  private void failCalls() {
    failCalls(failures.values());
  }

  private void failCalls(Collection<Status> reasons) {
    calls = Calls.FAIL;
    publishFailure("cannot connect to " + context.target(), reasons);
  }

  private void publishFailure(String what, Collection<Status> reasons) {
    int omitted = Math.max(0, reasons.size() - ChannelJournal.MAX_NAMED);
    List<String> story = new ArrayList<>();
    Status why = Status.UNAVAILABLE;
    for (Status reason : reasons.stream().skip(omitted).toList()) {
      story.add(reason.description().orElse(""));
      why = reason.cause().map(why::withCause).orElse(why);
    }
    if (omitted > 0) { // in the words of CallFailure, which does not repeat them then
      story.add(
          "no connection to " + omitted + (omitted == 1 ? " other address" : " other addresses"));
    }
    context.updateState(
        ConnectivityState.TRANSIENT_FAILURE,
        Picker.failing(why.withDescription(what + ": " + String.join("; ", story))));
  }

  private void publish(ConnectivityState connectivity, Picker picker) {
    if (calls == Calls.WAIT) {
      context.updateState(connectivity, picker);
    }
  }

  /** The known addresses remain; without any, there is nothing to try. */
  @Override
  public void onResolutionFailed(Status why) {
    answer = Answer.GIVEN;
    if (known.isEmpty()) {
      failCalls(List.of(why)); // the channel guarantees another answer
    } else {
      failIfAwaited();
    }
  }

  @Override
  public boolean onNoEndpoints(Status why) {
    stopHeadStart();
    answer = Answer.GIVEN;
    known = List.of();
    listed = Map.of();
    state = State.RESOLVING;
    current = Optional.empty();
    trying.clear();
    untried.clear();
    failCalls(List.of(why));
    replaceSubchannels(listed);
    return true;
  }

  @Override
  public void exitIdle() {
    if (state == State.IDLE) {
      tryKnown();
    }
  }

  /** Another pass over the same endpoints; shuffled again, if they are shuffled. */
  private void tryKnown() {
    askResolver(); // first: the pass may fail at once, and then waits for the answer
    if (state == State.IDLE) { // the answer may have come already, without endpoints
      listed = inTurn(known);
      beginPass();
    }
  }

  /** Whether the subchannel is still in use: the states of a dropped one are ignored. */
  boolean uses(Subchannel subchannel) {
    return states.containsKey(subchannel);
  }

  @Override
  public void onState(Subchannel subchannel, SubchannelState now) {
    if (!uses(subchannel)) {
      return;
    }
    states.put(subchannel, now);
    switch (state) {
      case TRYING, RETRYING -> onTried(subchannel, now);
      case USING -> onUsed(subchannel, now);
      case RESOLVING, IDLE -> {} // it is tried again in the next pass
    }
  }

  private void onTried(Subchannel subchannel, SubchannelState now) {
    if (now == SubchannelState.READY) {
      use(subchannel);
    } else if (now.failure().isPresent() && trying.remove(subchannel)) {
      onFailed(subchannel.address(), now.failure().get());
    } else if (now == SubchannelState.IDLE && state == State.RETRYING) {
      retry();
    }
  }

  private void use(Subchannel subchannel) {
    state = State.USING;
    calls = Calls.WAIT;
    current = Optional.of(subchannel);
    stopHeadStart();
    dropAllBut(subchannel);
    context.updateState(ConnectivityState.READY, Picker.using(subchannel));
  }

  private void onFailed(SocketAddress address, Status why) {
    failures.putLast(address, why);
    failedAttempts++;
    if (state == State.TRYING) {
      tryNext();
    } else if (calls == Calls.FAIL) {
      failCalls();
    }
    if (failedAttempts >= subchannels.size() && answer == Answer.GIVEN) {
      failedAttempts = 0;
      askResolver();
    }
  }

  /** A request that has not been answered is enough. */
  private void askResolver() {
    if (answer == Answer.GIVEN) {
      answer = Answer.EXPECTED;
      context.refreshNameResolution();
    }
  }

  private void dropAllBut(Subchannel kept) {
    List<Subchannel> others = new ArrayList<>(subchannels.values());
    others.remove(kept);
    subchannels.values().removeAll(others);
    for (Subchannel other : others) {
      drop(other);
    }
  }

  /**
   * A parent policy may report that a connection fails its calls, and later that it works again.
   */
  private void onUsed(Subchannel subchannel, SubchannelState now) {
    if (current.filter(subchannel::equals).isEmpty()) {
      return;
    }
    if (now == SubchannelState.IDLE) {
      becomeIdle();
      if (state == State.IDLE) { // a parent policy may have begun a pass, which has asked
        askResolver();
      }
    } else if (now == SubchannelState.READY) {
      context.updateState(ConnectivityState.READY, Picker.using(subchannel));
    } else {
      String what =
          "the connection to " + context.target() + " at " + subchannel.address() + " is not used";
      now.failure().map(List::of).ifPresent(why -> publishFailure(what, why));
    }
  }

  private void becomeIdle() {
    state = State.IDLE;
    current = Optional.empty();
    calls = Calls.WAIT;
    context.updateState(ConnectivityState.IDLE, Picker.queueing());
  }

  @Override
  public void shutdown() {
    stopHeadStart();
    replaceSubchannels(Map.of());
  }
}
