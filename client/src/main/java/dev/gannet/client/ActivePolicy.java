package dev.gannet.client;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.engine.PluginName;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.subchannel.ManagedSubchannel;
import dev.gannet.client.tasks.HeldResources;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.SerialTimers;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A running load-balancing policy, and its interface to the channel.
 *
 * <pre>
 *   ACTIVE ──the channel is idle or shut down, or the policy has thrown──► OVER
 * </pre>
 *
 * <p>It is only called in the channel's {@link SerialTasks}. Its own calls may come from any
 * thread; after it is OVER they are ignored.
 */
final class ActivePolicy implements LoadBalancer.Context {
  private enum State {
    ACTIVE,
    OVER
  }

  /** What a policy changes; called in a task. */
  interface Owner extends ManagedSubchannel.Owner {
    void publish(ActivePolicy policy, ConnectivityState state, Picker picker);

    void register(ManagedSubchannel subchannel, ActivePolicy policy);

    void resolveAgain();

    /** Whether calls wait, or the user has asked for a connection. */
    boolean hasWaitingCalls();

    /** Has grown if calls have failed at once since it was last read. */
    long failures();

    /** The service whose health is checked, if any. */
    Optional<String> healthCheckService();

    /** An event for the trace. Any thread. */
    void trace(String source, String event);

    /** The policy is OVER because it has thrown an exception. */
    void onPolicyFailed(ActivePolicy failed, Throwable thrown);
  }

  /** An event for the policy. */
  private interface PolicyEvent {
    void to(LoadBalancer policy);
  }

  /**
   * The name of the policy. Its provider is asked once: its method may be a user's, and fail at any
   * time.
   *
   * @param text the class of the provider if there is no name
   * @param fault why there is no name: then no policy is created
   */
  private record Name(String text, Optional<IllegalArgumentException> fault) {
    static Name of(LoadBalancerProvider provider) {
      try {
        String found = PluginName.of("policyName()", provider, provider::policyName);
        return new Name(found, Optional.empty());
      } catch (IllegalArgumentException e) {
        return new Name(provider.getClass().getName(), Optional.of(e));
      }
    }
  }

  private final ChannelSettings settings;
  private final Owner owner;
  private final SerialTimers timers;
  private final HeldResources held = new HeldResources(this::onResourceThrown);
  private final Name name;
  private State state = State.ACTIVE;

  /** Has created it, or is the one whose settings it has taken last. */
  private LoadBalancerProvider provider;

  private @Nullable LoadBalancer policy;

  ActivePolicy(ChannelSettings settings, LoadBalancerProvider provider, Owner owner) {
    this.settings = settings;
    this.name = Name.of(provider);
    this.provider = provider;
    this.owner = owner;
    this.timers =
        new SerialTimers(settings.scheduler(), owner.tasks(), task -> deliver(it -> task.run()));
  }

  /** What statuses, logs and events call the policy. */
  String name() {
    return name.text;
  }

  /** Creates the policy. */
  void begin() {
    guard(() -> policy = create());
  }

  private LoadBalancer create() {
    if (name.fault.isPresent()) {
      throw name.fault.get();
    }
    return Objects.requireNonNull(provider.create(this), "its provider returned null");
  }

  /**
   * Gives the policy the settings of this provider, if it takes them. It is OVER if it has thrown.
   *
   * @return whether it has these settings now; then {@link #onResolved} follows
   */
  boolean tryReconfigure(LoadBalancerProvider wanted) {
    deliver(it -> {
      if (wanted.reconfigure(it, provider)) {
        provider = wanted;
      }
    });
    return isActive() && provider.equals(wanted);
  }

  void onResolved(Resolution.Resolved resolved) {
    deliver(it -> it.onResolved(resolved));
  }

  void onResolutionFailed(Status why) {
    deliver(it -> it.onResolutionFailed(why));
  }

  /** Returns whether it uses no endpoints now. */
  boolean onNoEndpoints(Status why) {
    AtomicBoolean givenUp = new AtomicBoolean();
    deliver(it -> givenUp.set(it.onNoEndpoints(why)));
    return givenUp.get();
  }

  void exitIdle() {
    deliver(LoadBalancer::exitIdle);
  }

  /** Shuts the policy down, also one that has thrown; from now on it is ignored. */
  void end() {
    state = State.OVER;
    timers.close();
    LoadBalancer last = policy;
    policy = null;
    if (last != null) {
      owner.tasks().callPluginAfterwards(last::shutdown);
    }
    owner.tasks().afterwards(held::close);
  }

  private void deliver(PolicyEvent event) {
    LoadBalancer current = policy;
    if (isActive() && current != null) {
      guard(() -> event.to(current));
    }
  }

  private boolean isActive() {
    return state == State.ACTIVE;
  }

  private void guard(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) { // a policy may be a user's
      onThrown(e);
    }
  }

  private void onThrown(Throwable thrown) {
    state = State.OVER;
    owner.onPolicyFailed(this, thrown);
  }

  private void onResourceThrown(Throwable thrown) {
    owner
        .tasks()
        .run(() -> {
          if (isActive()) {
            onThrown(thrown);
          }
        });
  }

  @Override
  public String target() {
    return settings.targetText();
  }

  @Override
  public Subchannel createSubchannel(
      Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
    ManagedSubchannel created =
        new ManagedSubchannel(
            settings,
            owner,
            task -> deliver(it -> task.run()),
            Objects.requireNonNull(endpoint, "endpoint"),
            new PolicySubchannelListener(Objects.requireNonNull(listener, "listener")),
            Objects.requireNonNull(options, "options").callTracker());
    owner
        .tasks()
        .run(() -> {
          if (isActive()) {
            owner.register(created, this);
          } else {
            created.shutdownInTask();
          }
        });
    return created;
  }

  /**
   * Delivers an event of a subchannel while its policy is active; its exceptions are the policy's.
   */
  private final class PolicySubchannelListener implements Subchannel.Listener {
    private final Subchannel.Listener listener;

    PolicySubchannelListener(Subchannel.Listener listener) {
      this.listener = listener;
    }

    @Override
    public void onState(Subchannel subchannel, SubchannelState now) {
      deliver(it -> listener.onState(subchannel, now));
    }
  }

  @Override
  public void updateState(ConnectivityState connectivity, Picker picker) {
    Objects.requireNonNull(connectivity, "state");
    Objects.requireNonNull(picker, "picker");
    owner
        .tasks()
        .run(() -> {
          if (isActive()) {
            owner.publish(this, connectivity, picker);
          }
        });
  }

  @Override
  public void refreshNameResolution() {
    owner
        .tasks()
        .run(() -> {
          if (isActive()) {
            owner.resolveAgain();
          }
        });
  }

  @Override
  public boolean hasWaitingCalls() {
    return owner.hasWaitingCalls();
  }

  @Override
  public long failures() {
    return owner.failures();
  }

  @Override
  public void execute(Runnable task) {
    Objects.requireNonNull(task, "task");
    owner.tasks().run(() -> deliver(it -> task.run()));
  }

  @Override
  public Registration schedule(Runnable task, Duration delay) {
    return timers.start(task, delay);
  }

  @Override
  public Registration closeAtShutdown(AutoCloseable resource) {
    return held.add(resource);
  }

  @Override
  public Optional<String> healthCheckService() {
    return owner.healthCheckService();
  }

  /** Also when it is OVER: what a policy has written before it threw says why. */
  @Override
  public void trace(String event) {
    Objects.requireNonNull(event, "event");
    owner.trace("the load-balancing policy " + name.text, event);
  }

  @Override
  public long nanoTime() {
    return settings.scheduler().nanoTime();
  }

  @Override
  public RandomGenerator random() {
    return settings.scheduler().random();
  }
}
