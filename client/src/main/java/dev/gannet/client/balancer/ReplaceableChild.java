package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The child of a policy that has one, and the child that will replace it: calls use the old one
 * until the new one is ready, as in a channel whose policy is replaced. For policies whose settings
 * name their child's provider; such a policy forwards its events to this one, and in {@link
 * LoadBalancer#onConfig} calls {@link #use}. It has no child before the first {@link #use}, which
 * is best the last thing in the policy's constructor: a child may publish as soon as it is created.
 *
 * <pre>
 *   NONE ──use──► ONE
 *
 *   ONE ──another is wanted, and this one is READY──► TWO
 *   ▲ │                                                │
 *   │ └──another is wanted, and this one is not──► ONE, the other
 *   └──the new one is not CONNECTING any more, or the old one is not READY any more
 *
 *   Each child:  IN_USE ──another has replaced it──► LEAVING ──its shutdown──► OVER
 *                   └──it was next, and is dropped; or the parent ends────────►┘
 * </pre>
 *
 * <p>Each child that was begun is shut down once, also if the parent ends while it is LEAVING. To
 * be called only in the parent's events.
 */
@Preview(until = "0.3")
public final class ReplaceableChild implements LoadBalancer {
  /** A child, and what it has published last. */
  private final class Child implements ForwardingContext {
    /** Empty before it has begun, and from its shutdown on. */
    private Optional<LoadBalancer> policy = Optional.empty();

    private LoadBalancerProvider provider;
    private ConnectivityState state = ConnectivityState.CONNECTING;
    private Picker picker = Picker.queueing();

    Child(LoadBalancerProvider provider) {
      this.provider = provider;
    }

    void begin() {
      policy = Optional.of(provider.create(this));
    }

    /** Whether it has these settings now. */
    boolean takes(LoadBalancerProvider wanted) {
      boolean taken = policy.filter(it -> wanted.reconfigure(it, provider)).isPresent();
      provider = taken ? wanted : provider;
      return taken;
    }

    /** Does nothing if it is OVER. */
    void shutdown() {
      Optional<LoadBalancer> last = policy;
      policy = Optional.empty();
      leaving.remove(this);
      last.ifPresent(LoadBalancer::shutdown);
    }

    @Override
    public Context context() {
      return context;
    }

    @Override
    public void updateState(ConnectivityState now, Picker with) {
      state = now;
      picker = with;
      if (children().contains(this)) {
        onPublished(this);
      }
    }
  }

  private final Context context;

  /** Empty until the first one is used. */
  private Optional<Child> inForce = Optional.empty();

  private Optional<Child> next = Optional.empty();

  /** In the order in which they were replaced. */
  private final Set<Child> leaving = new LinkedHashSet<>();

  /**
   * Has no child yet.
   *
   * @param context that of the children: the parent's own, or a {@link ForwardingContext} that
   *     changes what they publish or how they connect
   */
  public ReplaceableChild(Context context) {
    this.context = Objects.requireNonNull(context, "context");
  }

  /**
   * Has a child with these settings: gives them to the child that there is, if it {@linkplain
   * LoadBalancerProvider#reconfigure takes them}, or replaces it. {@link #onResolved} has to
   * follow.
   */
  public void use(LoadBalancerProvider wanted) {
    if (inForce.isEmpty()) {
      Child first = new Child(wanted);
      inForce = Optional.of(first);
      first.begin();
    } else {
      replace(inForce.get(), wanted);
    }
  }

  private void replace(Child now, LoadBalancerProvider wanted) {
    if (now.takes(wanted)) {
      dropNext();
    } else if (next.filter(it -> it.takes(wanted)).isEmpty()) {
      dropNext();
      Child made = new Child(wanted);
      if (now.state == ConnectivityState.READY) {
        next = Optional.of(made);
      } else {
        takeOver(now, made).shutdown();
      }
      made.begin();
    }
  }

  private void dropNext() {
    Optional<Child> dropped = next;
    next = Optional.empty();
    dropped.ifPresent(Child::shutdown);
  }

  private List<Child> children() {
    return Stream.concat(inForce.stream(), next.stream()).toList();
  }

  private void onPublished(Child by) {
    Child now = inForce.orElseThrow();
    if (next.isEmpty() || (by.equals(now) && by.state == ConnectivityState.READY)) {
      publish(now);
    } else if (by.equals(now) || by.state != ConnectivityState.CONNECTING) {
      Child old = takeOver(now, next.get());
      context.execute(old::shutdown); // afterwards: it may be publishing
    }
  }

  /** Returns the old one, which is LEAVING. */
  private Child takeOver(Child old, Child then) {
    leaving.add(old);
    inForce = Optional.of(then);
    next = Optional.empty();
    publish(then);
    return old;
  }

  private void publish(Child of) {
    context.updateState(of.state, of.picker);
  }

  /** Endpoints are for the newest child: the old one keeps the connections that it has. */
  @Override
  public void onResolved(Resolution.Resolved resolved) {
    List<Child> all = children();
    if (!all.isEmpty()) {
      all.getLast().policy.ifPresent(it -> it.onResolved(resolved));
    }
  }

  @Override
  public void onResolutionFailed(Status why) {
    children().forEach(child -> child.policy.ifPresent(it -> it.onResolutionFailed(why)));
  }

  /** Returns what the newest child returns. */
  @Override
  public boolean onNoEndpoints(Status why) {
    boolean givenUp = false;
    for (Child child : children()) {
      givenUp = child.policy.filter(it -> it.onNoEndpoints(why)).isPresent();
    }
    return givenUp;
  }

  @Override
  public void exitIdle() {
    children().forEach(child -> child.policy.ifPresent(LoadBalancer::exitIdle));
  }

  @Override
  public void shutdown() {
    List<Child> last = Stream.concat(leaving.stream(), children().stream()).toList();
    next = Optional.empty();
    shutdownAll(last.iterator());
  }

  /** All of them, whatever one of them throws. */
  private static void shutdownAll(Iterator<Child> children) {
    if (children.hasNext()) {
      try {
        children.next().shutdown();
      } finally {
        shutdownAll(children);
      }
    }
  }
}
