package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.tasks.Succession;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The child of a policy that has one, and the child that will replace it: calls use the old one
 * until the new one is ready or has failed, or the old one is not ready any more, as in a channel
 * whose policy is replaced. For policies whose settings name their child's provider; such a policy
 * forwards its events to this one, and in {@link LoadBalancer#onConfig} calls {@link #use}. It has
 * no child before the first {@link #use}, which is best the last thing in the policy's constructor:
 * a child may publish as soon as it is created.
 *
 * <pre>
 *   Each child:  IN_USE ──another has replaced it──► LEAVING ──its shutdown──► OVER
 *                   └──it was next, and is dropped; or the parent ends────────►┘
 * </pre>
 *
 * <p>Each child that was begun is shut down once, also if the parent ends while it is LEAVING. To
 * be called only in the parent's events.
 *
 * <p>An exception of a child, also of one that calls do not use yet, is one of the channel's
 * policy, which is discarded ({@link LoadBalancer}). In this a child differs from the next policy
 * of a channel, which is only dropped: the channel can close what a policy that has thrown leaves
 * open, and a parent cannot.
 */
@Preview(until = "0.3")
public final class ReplaceableChild implements LoadBalancer {
  /** A child, and what it has published last. */
  private final class Child implements ForwardingContext, Succession.Member {
    /** Empty before it has begun, and from its shutdown on. */
    private Optional<LoadBalancer> policy = Optional.empty();

    private LoadBalancerProvider provider;
    private ConnectivityState state = ConnectivityState.CONNECTING;
    private Picker picker = Picker.queueing();

    Child(LoadBalancerProvider provider) {
      this.provider = provider;
    }

    void begin() {
      begun.add(this);
      policy = Optional.of(provider.create(this));
    }

    /** Gives it these settings, if it takes them; returns whether it has them now. */
    boolean tryReconfigure(LoadBalancerProvider wanted) {
      boolean taken = policy.filter(it -> wanted.reconfigure(it, provider)).isPresent();
      provider = taken ? wanted : provider;
      return taken;
    }

    /** Does nothing if it is OVER. */
    void shutdown() {
      Optional<LoadBalancer> last = policy;
      policy = Optional.empty();
      begun.remove(this);
      last.ifPresent(LoadBalancer::shutdown);
    }

    @Override
    public Context context() {
      return context;
    }

    @Override
    public void updateState(ConnectivityState now, Picker picker) {
      state = now;
      this.picker = picker;
      // Afterwards: the old one may be publishing.
      children.onPublished(this).forEach(old -> context.execute(old::shutdown));
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

  private final Context context;
  private final Succession<Child> children;

  /** The children whose shutdown is to come, also if they are LEAVING. */
  private final Set<Child> begun = new LinkedHashSet<>();

  /**
   * Has no child yet.
   *
   * @param context the children's context: the parent's own, or a {@link ForwardingContext} that
   *     changes what they publish or how they connect
   */
  public ReplaceableChild(Context context) {
    this.context = Objects.requireNonNull(context, "context");
    this.children = new Succession<>(it -> context.updateState(it.state, it.picker));
  }

  /**
   * Has a child with these settings: gives them to the child that there is, if it {@linkplain
   * LoadBalancerProvider#reconfigure takes them}, or replaces it. {@link #onResolved} has to
   * follow.
   */
  public void use(LoadBalancerProvider wanted) {
    for (Child each : children.members()) {
      if (each.tryReconfigure(wanted)) {
        children.keep(each).forEach(Child::shutdown);
        return;
      }
    }
    Child made = new Child(wanted);
    children.add(made).forEach(Child::shutdown);
    made.begin();
  }

  /**
   * Endpoints are for the newest child: the old one keeps the connections that it has. If the
   * parent has left no endpoints, this is {@link #onNoEndpoints} of both, with words that say so.
   */
  @Override
  public void onResolved(Resolution.Resolved resolved) {
    if (resolved.endpoints().isEmpty()) {
      onNoEndpoints(LeftEndpoints.NONE);
      return;
    }
    List<Child> all = children.members();
    if (!all.isEmpty()) {
      all.getLast().policy.ifPresent(it -> it.onResolved(resolved));
    }
  }

  @Override
  public void onResolutionFailed(Status why) {
    children.members().forEach(child -> child.policy.ifPresent(it -> it.onResolutionFailed(why)));
  }

  /** Returns what the newest child returns. */
  @Override
  public boolean onNoEndpoints(Status why) {
    boolean givenUp = false;
    for (Child child : children.members()) {
      givenUp = child.policy.filter(it -> it.onNoEndpoints(why)).isPresent();
    }
    return givenUp;
  }

  @Override
  public void exitIdle() {
    children.members().forEach(child -> child.policy.ifPresent(LoadBalancer::exitIdle));
  }

  @Override
  public void shutdown() {
    children.end();
    EachOf.run(begun.stream().<Runnable>map(it -> it::shutdown).toList());
  }
}
