package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.api.engine.Backoff;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.journal.ChannelJournal;
import dev.gannet.client.journal.EventLog;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.subchannel.CallPicker;
import dev.gannet.client.subchannel.ConnectionHealth;
import dev.gannet.client.subchannel.ManagedSubchannel;
import dev.gannet.client.subchannel.PendingCalls;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.TaskTimer;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What a channel's calls are sent on: its resolver, policy and subchannels, which run from the
 * first call on, until there are no more calls for a time. After a failure of the resolver or the
 * policy, it waits before it tries again.
 *
 * <pre>
 *   Idle ──a call waits──► Resolving ──endpoints──► Balancing
 *    ▲                       │  ▲                     ▲ │
 *    │          cannot resolve  wanted                │ │
 *    │                       ▼  │                     │ │
 *    ├──not wanted───────── Unresolved ───endpoints───┘ │
 *    │                          ▲                       │
 *    │                          └─────no endpoints──────┘
 *    │
 *    └──not wanted──────── PolicyFailed ──wanted──► Resolving
 *
 *   Resolving, Unresolved, Balancing ──the policy has thrown──► PolicyFailed
 *   any ──idle timeout, enterIdle, or no timer can be set──► Idle
 *   any ──close──► Closed
 *
 *   Balancing ──a resolution fails──► RefreshFailed ──backoff over──► Refreshing
 *       ▲                              │   ▲                          │  │
 *       ├───────────endpoints──────────┘   └──────────fails───────────┘  │
 *       └───────────────────────────────endpoints────────────────────────┘
 * </pre>
 *
 * <p>Unresolved and PolicyFailed end with their backoff: then it is wanted if calls wait or have
 * failed meanwhile. RefreshFailed and Refreshing are like Balancing in all else: the resolver is
 * asked again, so that a failure does not leave the policy with old endpoints. No request of the
 * policy ends a backoff, so a resolver that fails is not asked each time a connection fails, too.
 *
 * <p>What calls see is a {@link ConnectivityState}: while there is a policy, that which the policy
 * publishes; CONNECTING before it has published one; otherwise IDLE, TRANSIENT_FAILURE in
 * PolicyFailed, or SHUTDOWN. Users see its {@link ReportedState}.
 *
 * <p>States change only in the channel's {@link SerialTasks}.
 */
final class ChannelConnectivity
    implements NameResolution.Owner, ActivePolicy.Owner, RepeatedFailure.Owner {
  private static final Logger LOG = System.getLogger(ChannelConnectivity.class.getName());

  private sealed interface State {
    /** There is a policy, and a resolver. */
    sealed interface WithPolicy extends State {}

    /** The policy has endpoints, and says when they should be resolved again. */
    sealed interface WithEndpoints extends WithPolicy {}

    /** Something has failed, and is tried again when the timer fires. */
    sealed interface BackingOff extends State {
      TaskTimer timer();

      @Override
      default void stop() {
        timer().cancel();
      }
    }

    /** There is neither a policy nor a resolver. */
    record Idle() implements State {}

    /** The policy has no endpoints yet. */
    record Resolving() implements WithPolicy {}

    /** The policy has no endpoints, because the resolver has failed or has found none. */
    record Unresolved(TaskTimer timer) implements WithPolicy, BackingOff {}

    /** The resolver has not failed since it was last asked. */
    record Balancing() implements WithEndpoints {}

    /** The resolver has failed to bring newer endpoints, and is asked again after a backoff. */
    record RefreshFailed(TaskTimer timer) implements WithEndpoints, BackingOff {}

    /** The backoff after such a failure is over, and the resolver has been asked again. */
    record Refreshing() implements WithEndpoints {}

    /** The policy has thrown an exception, and ended; so has the resolver. */
    record PolicyFailed(TaskTimer timer) implements BackingOff {}

    /** Nothing begins any more. */
    record Closed() implements State {}

    /** Ends the backoff of the state, if it is one. */
    default void stop() {}
  }

  private final ChannelSettings settings;
  private final SerialTasks tasks;
  private final ChannelConfig config;
  private final ChannelJournal journal;
  private final Runnable onOver;
  private final EventLog events;
  private final CallPicker picker;
  private final ConnectionHealth health;
  private final CallGate gate;
  private final ReportedState reported;

  // Used by tasks only.
  private final NameResolution resolution;
  private final PolicySwitch policies;
  private final Backoff backoff = new Backoff();

  /**
   * For RefreshFailed: while a policy has endpoints, failures of the resolver delay nothing else.
   */
  private final Backoff refreshBackoff = new Backoff();

  /** Why the last resolution failed. */
  private Status failure = Status.UNAVAILABLE;

  private final RepeatedFailure repeatedFailure;

  private final IdleWatch idle;
  private State state = new State.Idle();

  /** The failures of calls before resolver and policy were last begun, or asked again. */
  private long failuresBefore;

  /** Whether the user has asked for a connection, and there was none since. */
  private boolean connectRequested;

  /**
   * Initially Idle.
   *
   * @param onOver it is Closed and its last connection is closed; called in a task
   */
  ChannelConnectivity(
      ChannelSettings settings,
      SerialTasks tasks,
      CallGate gate,
      ChannelConfig config,
      ChannelJournal journal,
      Runnable onOver) {
    this.settings = settings;
    this.tasks = tasks;
    this.config = config;
    this.journal = journal;
    this.events = journal.events();
    this.onOver = onOver;
    this.gate = gate;
    this.policies =
        new PolicySwitch(it -> new ActivePolicy(settings, it, this), this::become, events);
    this.picker =
        new CallPicker(tasks, settings.scheduler()::nanoTime, () -> tasks.run(this::exitIdle));
    this.reported = new ReportedState(tasks, settings.targetText(), picker, gate, events);
    this.health = new ConnectionHealth(settings);
    this.resolution = new NameResolution(settings, this);
    this.repeatedFailure = new RepeatedFailure(settings.scheduler(), tasks, this);
    this.idle =
        new IdleWatch(
            settings.scheduler(), tasks, gate, settings.lifetime().idleTimeout(), this::becomeIdle);
    events.add(EventLog.Severity.INFO, "channel to " + settings.targetText() + " made");
  }

  /** Sends calls where the policy says. */
  CallPicker picker() {
    return picker;
  }

  /** All subchannels that are not over; a view. Any thread. */
  Collection<ManagedSubchannel> subchannels() {
    return policies.subchannels();
  }

  /** For how much of this time the resolver was asked for the first endpoints. Any thread. */
  long resolverNanos(long fromNanos, long toNanos) {
    return resolution.waits().overlapNanos(fromNanos, toNanos);
  }

  @Override
  public SerialTasks tasks() {
    return tasks;
  }

  @Override
  public ConnectionHealth health() {
    return health;
  }

  @Override
  public PendingCalls pending() {
    return picker.pending();
  }

  @Override
  public ChannelJournal journal() {
    return journal;
  }

  // What users ask for.

  /** Connects, as a waiting call would; unless the channel is shut down. */
  void connect() {
    tasks.run(() -> {
      if (!gate.isShutDown()) {
        connectRequested = picker.state() != ConnectivityState.READY;
        idle.start();
        exitIdle();
      }
    });
  }

  /** Closes connections, policy and resolver, until the next call; there is none after shutdown. */
  void enterIdle() {
    tasks.run(() -> {
      if (!gate.isShutDown()) {
        becomeIdle();
      }
    });
  }

  /** Ends all backoffs at once. */
  void resetConnectBackoff() {
    tasks.run(() -> {
      backoff.reset();
      refreshBackoff.reset();
      if (state instanceof State.BackingOff now) {
        now.stop();
        onBackoffOver();
      }
      List.copyOf(policies.subchannels()).forEach(ManagedSubchannel::resetBackoffInTask);
    });
  }

  /** The state for users. */
  ReportedState reported() {
    return reported;
  }

  // How it begins and ends.

  private void exitIdle() {
    if (state instanceof State.Idle) { // no switch: its set-up would delay the first call
      become(ConnectivityState.CONNECTING, Picker.queueing());
      idle.start(); // once: a policy that fails again and again does not start the time again
      begin();
    } else if (state instanceof State.WithPolicy && picker.state() == ConnectivityState.IDLE) {
      policies.exitIdle();
    }
  }

  /** The picker of calls does not change until the policy publishes one. */
  private void begin() {
    state = new State.Resolving();
    failuresBefore = picker.countFailures();
    policies.begin(config.wantedPolicy());
    if (state instanceof State.Resolving) { // the policy may have thrown at once
      resolution.ask();
    }
  }

  /** The next call starts everything again. */
  private void becomeIdle() {
    connectRequested = false;
    idle.stop();
    moveTo(new State.Idle());
    stopPolicyAndResolver();
    become(ConnectivityState.IDLE, Picker.queueing());
  }

  /** From now on, only calls that were started before connect. In a task. */
  void onShutDown() {
    connectRequested = false;
    reported.update();
  }

  /** Makes no more connections, and closes existing ones when their calls have ended. In a task. */
  void close(Status why) {
    idle.stop();
    moveTo(new State.Closed());
    become(ConnectivityState.SHUTDOWN, args -> Pick.drop(why));
    stopPolicyAndResolver();
    endIfOver();
  }

  /** Ends the calls on all connections. In a task. */
  void endCalls(Status why) {
    policies.subchannels().forEach(subchannel -> subchannel.endCallsInTask(why));
  }

  private void moveTo(State next) {
    state.stop();
    state = next;
  }

  private void stopPolicyAndResolver() {
    policies.end();
    resolution.stop();
  }

  /** Calls that fail later do not name its address, unless another subchannel has the same one. */
  @Override
  public void onShutdown(ManagedSubchannel subchannel) {
    SocketAddress address = subchannel.address();
    if (journal.hasFailed(address)) { // afterwards: a subchannel that takes its place may follow
      tasks.afterwards(() -> tasks.run(() -> forgetIfUnused(address)));
    }
  }

  private void forgetIfUnused(SocketAddress address) {
    if (policies.subchannels().stream()
        .noneMatch(it -> !it.isShutDown() && it.address().equals(address))) {
      journal.forgetFailures(address);
    }
  }

  @Override
  public void onOver(ManagedSubchannel subchannel) {
    if (policies.remove(subchannel)) {
      log(subchannel, "gone");
    }
    endIfOver();
  }

  private void endIfOver() {
    if (state instanceof State.Closed && policies.subchannels().isEmpty()) {
      onOver.run();
    }
  }

  private void become(ConnectivityState now, Picker next) {
    become(now, next, "");
  }

  private void become(ConnectivityState now, Picker next, String policy) {
    if (now == ConnectivityState.READY) {
      connectRequested = false;
    }
    boolean changes = picker.state() != now;
    picker.publish(now, next, policy);
    reported.update();
    if (changes && now == ConnectivityState.IDLE && connectRequested) {
      tasks.afterwards(() -> tasks.run(this::connectIfRequested)); // after the picks, which connect
    }
  }

  /** Unless the channel has become idle meanwhile. */
  private void connectIfRequested() {
    if (connectRequested) {
      exitIdle();
    }
  }

  // What the resolver says.

  @Override
  public boolean hasEndpoints() {
    return state instanceof State.WithEndpoints;
  }

  @Override
  public Optional<Status> onResolved(Resolution.Resolved result) {
    Optional<Status> fault = Optional.empty();
    int connectionsBefore = maxConnectionsPerSubchannel();
    if (settings.resolverBringsConfig()) {
      boolean hadNone = config.current().isEmpty();
      fault = config.take(result);
      if (config.current().isEmpty()) {
        onResolutionFailed(fault.orElseThrow());
        return fault;
      }
      if (hadNone) {
        picker.onFirstConfig();
      }
    }
    if (!(state instanceof State.Balancing)) {
      events.add(EventLog.Severity.INFO, result.endpoints().size() + " endpoints resolved");
    }
    moveTo(new State.Balancing());
    refreshBackoff.reset();
    policies.onResolved(config.wantedPolicy(), result);
    config.applyToCalls();
    if (maxConnectionsPerSubchannel() != connectionsBefore) {
      policies.subchannels().forEach(ManagedSubchannel::onMaxConnectionsInTask);
    }
    if (state instanceof State.Balancing) { // a policy that throws waits longer each time
      backoff.reset();
    }
    return fault;
  }

  /** While it is RefreshFailed, its resolver may fail unasked: that changes nothing. */
  @Override
  public void onResolutionFailed(Status why) {
    failure = why;
    events.add(EventLog.Severity.WARNING, "resolution failed", why.toString());
    policies.onResolutionFailed(why);
    if (state instanceof State.Resolving) {
      backOff(State.Unresolved::new, why);
    } else if (state instanceof State.WithEndpoints && !(state instanceof State.RefreshFailed)) {
      askAgainLater();
    }
  }

  /** A policy that keeps its endpoints goes on with them, as after a failure of the resolver. */
  @Override
  public void onNoEndpoints(Status why) {
    failure = why;
    events.add(EventLog.Severity.WARNING, "no endpoints resolved", why.toString());
    boolean without = policies.onNoEndpoints(why);
    if (state instanceof State.Resolving || (without && state instanceof State.WithEndpoints)) {
      backOff(State.Unresolved::new, why);
    } else if (state instanceof State.WithEndpoints && !(state instanceof State.RefreshFailed)) {
      askAgainLater();
    }
  }

  // What the policy says.

  /** During a backoff the resolver is not asked; a policy that awaits the answer gets the last. */
  @Override
  public void resolveAgain() {
    if (!(state instanceof State.BackingOff)) {
      resolution.ask();
    } else {
      repeatedFailure.ask();
    }
  }

  @Override
  public void repeatFailure() {
    if (state instanceof State.BackingOff) {
      policies.onResolutionFailed(failure);
    }
  }

  @Override
  public void publish(ActivePolicy policy, ConnectivityState now, Picker next) {
    policies.publish(policy, now, next);
  }

  @Override
  public void register(ManagedSubchannel subchannel, ActivePolicy policy) {
    policies.register(subchannel, policy);
    log(subchannel, "made");
  }

  private void log(ManagedSubchannel subchannel, String what) {
    String text = "subchannel to " + subchannel.address() + " " + what;
    events.add(EventLog.Severity.INFO, text, OptionalLong.of(subchannel.id()));
  }

  @Override
  public void trace(String source, String event) {
    events.addTold(source, event);
  }

  @Override
  public boolean hasWaitingCalls() {
    return picker.pending().count() > 0 || connectRequested;
  }

  @Override
  public long failures() {
    return picker.countFailures();
  }

  @Override
  public int maxConnectionsPerSubchannel() {
    return config.maxConnectionsPerSubchannel();
  }

  @Override
  public Optional<String> healthCheckService() {
    return config.healthCheckService();
  }

  @Override
  public void onTransportReady() {
    tasks.afterwards(picker::pickPending);
  }

  @Override
  public void onCannotBackOff(Status why) {
    picker.failPending(why);
  }

  @Override
  public void onPolicyFailed(ActivePolicy failed, Throwable thrown) {
    String policy = "the load-balancing policy " + failed.name();
    GuardedLog.warn(
        LOG,
        policy + " of the channel to " + settings.targetText() + " threw an exception",
        thrown);
    String what = policy + " failed";
    events.add(EventLog.Severity.ERROR, what, ThrowableText.of(thrown));
    if (!policies.onFailed(failed)) {
      return; // there is another one
    }
    stopPolicyAndResolver();
    Status why = Status.UNAVAILABLE.withDescription(what + ": " + ThrowableText.of(thrown));
    becomeFailed(why.withCause(thrown));
  }

  private void becomeFailed(Status why) {
    if (!(state instanceof State.WithPolicy before)) {
      return; // it has thrown while it was being ended
    }
    become(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(why));
    if (before instanceof State.Unresolved(TaskTimer timer)) {
      state = new State.PolicyFailed(timer); // which goes on
    } else {
      backOff(State.PolicyFailed::new, why);
    }
  }

  // Backoff.

  private void backOff(Function<TaskTimer, State.BackingOff> next, Status why) {
    if (state instanceof State.WithEndpoints) {
      failuresBefore = picker.countFailures(); // the policy has seen to the earlier ones
    }
    try {
      startBackoff(next, backoff);
    } catch (RuntimeException | Error e) {
      onCannotBackOff(why);
      becomeIdle();
    }
  }

  /** Without a timer, only the policy asks. */
  private void askAgainLater() {
    try {
      startBackoff(State.RefreshFailed::new, refreshBackoff);
    } catch (RuntimeException | Error e) {
      state = new State.Refreshing();
    }
  }

  private void startBackoff(Function<TaskTimer, State.BackingOff> next, Backoff delays) {
    TaskTimer timer = new TaskTimer(this::onBackoffOver);
    moveTo(next.apply(timer));
    timer.start(settings.scheduler(), tasks, delays.nextDelayNanos(settings.scheduler().random()));
  }

  /** The state is one with a backoff: any other has cancelled the timer. */
  private void onBackoffOver() {
    if (state instanceof State.RefreshFailed) {
      state = new State.Refreshing();
      resolution.ask();
    } else if (!hasWaitingCalls() && picker.countFailures() == failuresBefore) {
      becomeIdle();
    } else if (state instanceof State.Unresolved) {
      state = new State.Resolving();
      failuresBefore = picker.countFailures();
      resolution.ask();
    } else {
      begin();
    }
  }
}
