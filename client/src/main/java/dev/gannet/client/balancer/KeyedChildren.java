package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The children of a policy that has several, by their keys, such as the names of weighted targets
 * or of priorities. The policy says which children it wants ({@link #use}), gives endpoints to each
 * of them, and publishes a picker over theirs when it is called back.
 *
 * <p><b>Callback.</b> It runs once after an event in which children have published, however many
 * did and however often, and after a {@link #use} that changes something; always as an event of its
 * own ({@link LoadBalancer.Context#execute}), never inside a call of a child or of the policy.
 * There a policy that distributes calls over all its children calls {@link #publish}; any other
 * reads {@link #state} and {@link #picker} of its children, and publishes. It may also want other
 * children there; another callback follows.
 *
 * <p><b>Removed children.</b> A child that is no longer wanted continues until a callback that did
 * not want it has returned, so that the policy has published a picker without it. Then it is shut
 * down, or it is kept for some time, with its connections, in case it is wanted again: policies
 * that fall back to other children for a while need not connect anew. A child that is kept gets no
 * events, except that it is shut down if there are no endpoints.
 *
 * <pre>
 *                            ┌──────────────wanted again──────────────┐
 *                            ▼                                        │
 *   a child:  use ──►     WANTED ──not wanted──► LEAVING ──callback──► KEPT
 *                                                  │                    │
 *                              callback, not kept  ▼                    │
 *                                                 OVER ◄──after a time──┘
 *
 *   any ──shutdown──► OVER
 * </pre>
 *
 * <p>Each child is a {@link ReplaceableChild}: other settings reach the running child if it takes
 * them, and another policy replaces it once it is ready.
 *
 * <p><b>Threads and errors.</b> To be called only in the policy's events. An exception of a child
 * is passed on to the caller, or is one of the event that the child handles; either way the
 * channel's policy is discarded, and shut down as usual: the policy then calls {@link #shutdown},
 * which ends all children, whatever one of them throws. Children are created and notified in the
 * order in which they are wanted, and shut down in the order in which they were created.
 *
 * <p>{@code ManagedChannel.resetConnectBackoff} is not an event of policies: the channel resets the
 * backoffs of all subchannels, whichever child has made them.
 *
 * @param <K> the key of a child, with {@code equals} and {@code hashCode}
 */
@Preview(until = "0.3")
public final class KeyedChildren<K> {
  private sealed interface Phase {
    /** The phases without data of their own. */
    enum Fixed implements Phase {
      /** One of {@link #keys}. */
      WANTED,

      /** Not wanted, but a published picker may still use it. */
      LEAVING,

      /** Shut down. */
      OVER
    }

    /**
     * Not wanted, and not shut down yet.
     *
     * @param end shuts it down after a time
     */
    record Kept(Registration end) implements Phase {}
  }

  /** Whether the policy has to be called back. */
  private enum News {
    NONE,
    TO_TELL,
    OVER
  }

  private static final Picker WITHOUT_CHILDREN =
      Picker.failing(
          Status.UNAVAILABLE.withDescription("the load-balancing policy has no child policies"));

  private final LoadBalancer.Context context;
  private final Duration keepRemoved;
  private final Runnable onChange;

  /** All that are not OVER. */
  private final Map<K, Child> begun = new LinkedHashMap<>();

  private Map<K, Child> wanted = Map.of();
  private News news = News.NONE;

  /** How often children have failed. */
  private long failures;

  /** LEAVING since before the callback that runs, and not wanted again in it. */
  private final Set<Child> leaving = new LinkedHashSet<>();

  /**
   * Has no children yet; shuts removed ones down at once.
   *
   * @param context the children's context: the policy's own, or a {@link ForwardingContext} that
   *     changes how they connect. They do not publish to it; {@link #publish} does
   * @param onChange the callback
   */
  public KeyedChildren(LoadBalancer.Context context, Runnable onChange) {
    this(context, Duration.ZERO, onChange);
  }

  /**
   * Has no children yet.
   *
   * @param context the children's context: the policy's own, or a {@link ForwardingContext} that
   *     changes how they connect. They do not publish to it; {@link #publish} does
   * @param keepRemoved how long removed children are kept; with zero they are shut down at once
   * @param onChange the callback
   * @throws IllegalArgumentException if the time is negative
   */
  public KeyedChildren(LoadBalancer.Context context, Duration keepRemoved, Runnable onChange) {
    if (keepRemoved.isNegative()) {
      throw new IllegalArgumentException("cannot keep removed children for " + keepRemoved);
    }
    this.context = Objects.requireNonNull(context, "context");
    this.keepRemoved = keepRemoved;
    this.onChange = Objects.requireNonNull(onChange, "onChange");
  }

  /** A child, and what it has published last. */
  private final class Child implements ForwardingContext {
    private final K key;
    private final ReplaceableChild policy = new ReplaceableChild(this);
    private Phase phase = Phase.Fixed.WANTED;
    private Optional<LoadBalancerProvider> provider = Optional.empty();
    private ConnectivityState state = ConnectivityState.CONNECTING;
    private Picker picker = Picker.queueing();

    /** The state as which it counts among the states of all children. */
    private ConnectivityState counted = ConnectivityState.CONNECTING;

    /** The picker with which it has failed last: all children's while it counts as failed. */
    private Picker failing = Picker.queueing();

    /** Which of the children's failures that was. */
    private long failure;

    Child(K key) {
      this.key = key;
    }

    @Override
    public LoadBalancer.Context context() {
      return context;
    }

    @Override
    public void updateState(ConnectivityState now, Picker picker) {
      state = Objects.requireNonNull(now, "state");
      this.picker = Objects.requireNonNull(picker, "picker");
      boolean keepsFailing =
          now == ConnectivityState.CONNECTING && counted == ConnectivityState.TRANSIENT_FAILURE;
      counted = keepsFailing ? counted : now;
      if (now == ConnectivityState.TRANSIENT_FAILURE || now == ConnectivityState.SHUTDOWN) {
        failing = picker;
        failure = ++failures;
      }
      if (phase == Phase.Fixed.WANTED) {
        changed();
      }
    }

    void enter() {
      leaving.remove(this); // the callback may publish a picker that uses it
      stopTimer();
      phase = Phase.Fixed.WANTED;
    }

    /** Returns whether its provider is another one than before. */
    boolean uses(LoadBalancerProvider now) {
      boolean isOther = !provider.equals(Optional.of(now));
      provider = Optional.of(now);
      policy.use(now);
      return isOther;
    }

    void leave() {
      if (phase == Phase.Fixed.WANTED) {
        phase = Phase.Fixed.LEAVING;
      }
    }

    boolean isLeaving() {
      return phase == Phase.Fixed.LEAVING;
    }

    boolean isKept() {
      return phase instanceof Phase.Kept;
    }

    /** No picker uses it any more. */
    void hasLeft() {
      if (keepRemoved.isZero()) {
        end();
      } else {
        phase = new Phase.Kept(context.schedule(this::end, keepRemoved));
      }
    }

    private void stopTimer() {
      if (phase instanceof Phase.Kept(Registration end)) {
        end.close();
      }
    }

    /** Does nothing if it is OVER. */
    void end() {
      if (phase != Phase.Fixed.OVER) {
        stopTimer();
        phase = Phase.Fixed.OVER;
        begun.remove(key);
        policy.shutdown();
      }
    }
  }

  private void changed() {
    if (news == News.NONE) {
      news = News.TO_TELL;
      context.execute(this::tell);
    }
  }

  private void tell() {
    if (news != News.TO_TELL) {
      return;
    }
    news = News.NONE;
    begun.values().stream().filter(Child::isLeaving).forEach(leaving::add);
    onChange.run();
    List<Child> unused = leaving.stream().filter(Child::isLeaving).toList();
    leaving.clear();
    EachOf.run(unused.stream().<Runnable>map(it -> it::hasLeft).toList());
  }

  /**
   * Has these children: creates those that are new, gives the settings to those that there are, and
   * removes the others. For each of them {@link #onResolved} has to follow. A new child is
   * CONNECTING, with a picker that lets calls wait, until it publishes.
   *
   * <p>The callback follows if the keys or their order have changed, or a provider does not equal
   * the one before. Otherwise this is no news: a policy may want the same children in each
   * callback, and is called back again only when one of them has published.
   *
   * @param children the policies with their settings, in the order of {@link #keys}; copied
   */
  public void use(Map<K, LoadBalancerProvider> children) {
    Map<K, LoadBalancerProvider> copy = new LinkedHashMap<>(children);
    Map<K, Child> now = new LinkedHashMap<>();
    copy.keySet().forEach(it -> now.put(it, begun.computeIfAbsent(it, Child::new)));
    begun.values().stream().filter(it -> !now.containsKey(it.key)).forEach(Child::leave);
    boolean isNews = !List.copyOf(wanted.keySet()).equals(List.copyOf(now.keySet()));
    wanted = Collections.unmodifiableMap(now);
    now.values().forEach(Child::enter);
    for (Map.Entry<K, LoadBalancerProvider> each : copy.entrySet()) {
      isNews |= child(each.getKey()).uses(each.getValue());
    }
    if (isNews) {
      changed();
    }
  }

  /** The keys of the children that are wanted, in the order of the last {@link #use}. */
  public Set<K> keys() {
    return wanted.keySet();
  }

  private Child child(K key) {
    Child found = wanted.get(key);
    if (found == null) {
      throw new IllegalArgumentException("there is no child " + key);
    }
    return found;
  }

  /**
   * What the child has published last.
   *
   * @throws IllegalArgumentException if there is no child with this key
   */
  public ConnectivityState state(K key) {
    return child(key).state;
  }

  /**
   * The picker that belongs to the {@link #state}.
   *
   * @throws IllegalArgumentException if there is no child with this key
   */
  public Picker picker(K key) {
    return child(key).picker;
  }

  /**
   * The state of a policy that distributes calls over all its children: READY if one of them is, or
   * else CONNECTING, or else IDLE if one of them is, or else TRANSIENT_FAILURE, also without
   * children.
   *
   * <p>A child that has failed counts as TRANSIENT_FAILURE while it connects again, until it is
   * READY (gRFC A61): otherwise calls would wait during each further attempt to connect. This
   * includes one that has got other endpoints or another policy since. A child that is IDLE again
   * begins anew. {@link #state} and {@link #picker} remain what the child has published, so they do
   * not belong to this state: {@link #publish} has the picker that does.
   */
  public ConnectivityState aggregatedState() {
    return Stream.of(ConnectivityState.READY, ConnectivityState.CONNECTING, ConnectivityState.IDLE)
        .filter(it -> wanted.values().stream().anyMatch(child -> child.counted == it))
        .findFirst()
        .orElse(ConnectivityState.TRANSIENT_FAILURE);
  }

  /**
   * Publishes the {@link #aggregatedState} with the picker that belongs to it, for a policy that
   * distributes calls over all its children, such as by weights:
   *
   * <ul>
   *   <li>READY: the function's picker over the children that are READY, in the order of {@link
   *       #keys}. Calls do not reach the others.
   *   <li>CONNECTING: calls wait.
   *   <li>IDLE: the function's picker over the children that are IDLE. They let calls wait, and
   *       connect for them, on a pick or by {@link #exitIdle()}.
   *   <li>TRANSIENT_FAILURE: the picker with which the child that failed last has failed, also
   *       while it connects again. Without children, calls fail and say that there are none.
   * </ul>
   *
   * <p>A child that is IDLE beside READY ones stays so until it is told to connect: a policy that
   * wants all of them connected calls {@link #exitIdle(Object)} in the callback.
   *
   * @param over makes a picker of the pickers of at least one child; the map is unmodifiable and
   *     does not change, so that the picker may keep it
   */
  public void publish(Function<Map<K, Picker>, Picker> over) {
    ConnectivityState state = aggregatedState();
    Picker picker =
        switch (state) {
          case READY, IDLE -> over.apply(pickersIn(state));
          case CONNECTING -> Picker.queueing();
          case TRANSIENT_FAILURE, SHUTDOWN -> failing();
        };
    context.updateState(state, picker);
  }

  private Map<K, Picker> pickersIn(ConnectivityState state) {
    Map<K, Picker> pickers = new LinkedHashMap<>();
    wanted.values().stream()
        .filter(it -> it.counted == state)
        .forEach(it -> pickers.put(it.key, it.picker));
    return Collections.unmodifiableMap(pickers);
  }

  /** The picker of the child that failed last: all have failed, or there are none. */
  private Picker failing() {
    return wanted.values().stream()
        .max(Comparator.comparingLong(it -> it.failure))
        .map(it -> it.failing)
        .orElse(WITHOUT_CHILDREN);
  }

  /**
   * The child's endpoints. An empty list is {@link LoadBalancer#onNoEndpoints} of the child, with a
   * status that says that the parent policy left no endpoints.
   *
   * @throws IllegalArgumentException if there is no child with this key
   */
  public void onResolved(K key, Resolution.Resolved resolved) {
    child(key).policy.onResolved(resolved);
  }

  /** The target could not be resolved: all children are told. */
  public void onResolutionFailed(Status why) {
    wanted.values().forEach(it -> it.policy.onResolutionFailed(why));
  }

  /**
   * The target has no endpoints: all children are told, and those that are kept are shut down.
   *
   * @return whether none of them uses endpoints now, also if there are no children; for {@link
   *     LoadBalancer#onNoEndpoints} of the policy
   */
  public boolean onNoEndpoints(Status why) {
    endAll(begun.values().stream().filter(Child::isKept).toList());
    boolean without = true;
    for (Child each : begun.values()) { // also those that leave, and may be kept after that
      without &= each.policy.onNoEndpoints(why);
    }
    return without;
  }

  /** A call waits: all children connect, if they are IDLE. */
  public void exitIdle() {
    wanted.values().forEach(it -> it.policy.exitIdle());
  }

  /**
   * This child connects, if it is IDLE.
   *
   * @throws IllegalArgumentException if there is no child with this key
   */
  public void exitIdle(K key) {
    child(key).policy.exitIdle();
  }

  /**
   * Shuts all children down, also those that are removed or kept; to be called in {@link
   * LoadBalancer#shutdown}. There is no callback any more. If children throw, the others are shut
   * down nevertheless; then the first exception is thrown, with the others as suppressed ones. Last
   * call.
   */
  public void shutdown() {
    news = News.OVER;
    wanted = Map.of();
    endAll(begun.values());
  }

  private void endAll(Collection<Child> children) {
    EachOf.run(children.stream().<Runnable>map(it -> it::end).toList());
  }
}
