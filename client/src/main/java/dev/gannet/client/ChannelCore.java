package dev.gannet.client;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.call.CallOwner;
import dev.gannet.client.call.CallsWithoutStream;
import dev.gannet.client.call.ChannelLifecycle;
import dev.gannet.client.call.PlainCall;
import dev.gannet.client.call.RetryingCall;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.client.subchannel.CallPicker;
import dev.gannet.client.subchannel.ChannelJournal;
import dev.gannet.client.subchannel.ConnectionHealth;
import dev.gannet.client.subchannel.EventLog;
import dev.gannet.client.subchannel.ManagedSubchannel;
import dev.gannet.client.subchannel.PendingCalls;
import dev.gannet.client.subchannel.SubchannelValues;
import dev.gannet.client.tasks.Backoff;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A channel's engine: admits calls, has connections picked for them, and manages resolver, policy
 * and subchannels.
 *
 * <pre>
 *   IDLE ──a call waits──► at work: CONNECTING, READY, TRANSIENT_FAILURE or IDLE, as its policy says
 *    ▲                      │  ▲
 *    │             cannot resolve, policy has thrown
 *    │                      ▼  │ backoff is over, calls wait or have failed meanwhile
 *    └──backoff is over── TRANSIENT_FAILURE
 *
 *   any ──shut down, and the last call has ended; or shutdownNow──► SHUTDOWN
 * </pre>
 *
 * <p>All changes are tasks of {@link SerialTasks}. Calls do not use tasks: they pass the {@link
 * CallGate} and are picked by the {@link CallPicker}.
 */
final class ChannelCore implements CallOwner, NameResolution.Owner, ActivePolicy.Owner {
  private static final Logger LOG = System.getLogger(ChannelCore.class.getName());
  private static final Status SHUT_DOWN =
      Status.UNAVAILABLE.withDescription("the channel is shut down");
  private static final Status SHUT_DOWN_AT_ONCE =
      Status.UNAVAILABLE.withDescription("the channel was closed before the call ended");

  private final ChannelSettings settings;
  private final SerialTasks tasks;
  private final ChannelLifecycle lifecycle = new ChannelLifecycle();
  private final CallGate gate = new CallGate(lifecycle);
  private final ChannelJournal journal = new ChannelJournal();
  private final EventLog events = new EventLog();
  private final CallPicker picker;
  private final CallsWithoutStream withoutStream;
  private final ConnectionHealth health;
  private final ReplayLimits replayLimits;

  /** Changed in tasks; any thread reads what new calls use. */
  private final ChannelConfig config;

  // Used by tasks only.
  private final NameResolution resolution;
  private final PolicySwitch policies;
  private final Backoff backoff = new Backoff();
  private final StateWatches watches;
  private final IdleWatch idle;
  private boolean resolved;
  private Scheduler.@Nullable Cancellable retry;

  ChannelCore(ChannelSettings settings) {
    this.settings = settings;
    this.tasks = new SerialTasks(settings.targetText());
    this.withoutStream = new CallsWithoutStream(lifecycle, tasks, settings.scheduler());
    this.watches = new StateWatches(tasks, settings.targetText());
    RetrySettings retries = settings.policies().serviceConfigs().retries();
    this.replayLimits = new ReplayLimits(retries.callBytes(), retries.channelBytes());
    this.config = new ChannelConfig(settings);
    this.policies = new PolicySwitch(it -> new ActivePolicy(settings, it, this), this::become);
    this.picker =
        new CallPicker(tasks, settings.scheduler()::nanoTime, () -> tasks.run(this::exitIdle));
    this.health = new ConnectionHealth(settings);
    this.resolution = new NameResolution(settings, this);
    this.idle =
        new IdleWatch(
            settings.scheduler(), tasks, gate, settings.lifetime().idleTimeout(), this::becomeIdle);
    events.add(EventLog.Severity.INFO, "channel to " + settings.targetText() + " made");
  }

  @Override
  public ChannelSettings settings() {
    return settings;
  }

  /** A call that has not started. */
  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    Optional<ActiveConfig> now = config.current();
    if (now.isEmpty()) {
      return new RetryingCall<>(this, method, options, null);
    }
    Optional<AttemptPolicy> known = now.get().of(method.fullMethodName()).attempts();
    return known.isEmpty()
        ? new PlainCall<>(this, method, options)
        : new RetryingCall<>(this, method, options, known.get());
  }

  @Override
  public Optional<ActiveConfig> config() {
    return config.current();
  }

  @Override
  public MethodConfig methodConfig(MethodDescriptor<?, ?> method) {
    return config.of(method);
  }

  @Override
  public ReplayLimits replayLimits() {
    return replayLimits;
  }

  @Override
  public Optional<Status> admit() {
    Optional<Status> refusal = gate.enter();
    if (refusal.isPresent()) {
      journal.onCallFailed();
      closeIfEmpty(); // it was counted for a moment, which hid that there was no call
    }
    return refusal;
  }

  @Override
  public void onCallEnded() {
    gate.leave();
    closeIfEmpty();
  }

  private void closeIfEmpty() {
    if (!isClosing() && gate.isEmptyForGood()) {
      tasks.run(this::close);
    }
  }

  /** How many calls have not ended. */
  long callsUnderWay() {
    return gate.underWay();
  }

  @Override
  public ChannelJournal journal() {
    return journal;
  }

  @Override
  public long resolverNanos(long fromNanos, long toNanos) {
    return resolution.overlapNanos(fromNanos, toNanos);
  }

  /** The current state of the channel. Any thread. */
  ChannelSnapshot snapshot() {
    long ended = gate.ended(); // before those that began
    long failed = journal.failedCalls();
    return new ChannelSnapshot(
        new ChannelSnapshot.Values(
            journal.id(),
            settings.targetText(),
            picker.state(),
            new ChannelCallCounts(
                new ChannelCallCounts.Values(
                    gate.begun(),
                    Math.max(0, ended - failed),
                    failed,
                    journal.transparentRetries(),
                    journal.retries(),
                    journal.hedges(),
                    picker.delayedPicks(),
                    picker.failedPicks())),
            picker.pending().count(),
            maxConnectionsPerSubchannel(),
            new ChannelTrace(events.kept()),
            policies.subchannels().stream()
                .map(ManagedSubchannel::values)
                .sorted(Comparator.comparingLong(SubchannelValues::id))
                .map(SubchannelSnapshot::new)
                .toList()));
  }

  /** Sends a PING to a server, over an existing connection. */
  CompletableFuture<Duration> ping() {
    Optional<Status> refusal = lifecycle.refusal();
    if (refusal.isPresent()) {
      return ChannelPing.failed(refusal.get());
    }
    for (ManagedSubchannel subchannel : policies.subchannels()) {
      ClientTransport to = subchannel.transport();
      if (to != null) {
        return new ChannelPing(settings.calls().executor())
            .send(
                to,
                settings.scheduler(),
                settings.connections().settings().keepalive().timeoutNanos());
      }
    }
    return ChannelPing.failed(
        Status.UNAVAILABLE.withDescription(
            "no connection to "
                + settings.targetText()
                + " to send a PING on: the channel is "
                + picker.state()));
  }

  @Override
  public CallPicker picker() {
    return picker;
  }

  @Override
  public CallsWithoutStream withoutStream() {
    return withoutStream;
  }

  /** Connects, as a waiting call would. */
  void connect() {
    tasks.run(() -> {
      if (!isClosing()) {
        idle.start();
        exitIdle();
      }
    });
  }

  /** Closes connections, policy and resolver, until the next call. */
  void enterIdle() {
    tasks.run(() -> {
      if (!isClosing()) {
        becomeIdle();
      }
    });
  }

  /** Ends all backoffs at once. */
  void resetConnectBackoff() {
    tasks.run(() -> {
      backoff.reset();
      if (retry != null) {
        stopRetry();
        retryNow();
      }
      List.copyOf(policies.subchannels()).forEach(ManagedSubchannel::resetBackoffInTask);
    });
  }

  /** Reports all states, beginning with the current one. */
  Registration watchState(Consumer<ConnectivityState> listener) {
    StateWatches.Watch watch = watches.newWatch(listener);
    tasks.run(() -> watches.add(watch, picker.state()));
    return watch;
  }

  private void become(ConnectivityState state, Picker next) {
    become(state, next, "");
  }

  private void become(ConnectivityState state, Picker next, String policy) {
    boolean changes = picker.state() != state;
    picker.publish(state, next, policy);
    if (changes) {
      events.add(severityOf(state), "channel is " + state);
      watches.onState(state);
    }
  }

  private static EventLog.Severity severityOf(ConnectivityState state) {
    return state == ConnectivityState.TRANSIENT_FAILURE
        ? EventLog.Severity.WARNING
        : EventLog.Severity.INFO;
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

  private void exitIdle() {
    if (isClosing() || picker.state() != ConnectivityState.IDLE) {
      return;
    }
    if (policies.isPresent()) {
      policies.exitIdle();
    } else {
      become(ConnectivityState.CONNECTING, Picker.waiting());
      begin();
    }
  }

  /** The picker of calls does not change until the policy publishes one. */
  private void begin() {
    resolved = false;
    idle.start();
    policies.begin(config.wantedPolicy());
    if (policies.isPresent()) {
      resolution.ask();
    }
  }

  @Override
  public Optional<Status> onResolved(Resolution.Resolved result) {
    Optional<Status> fault = Optional.empty();
    if (settings.resolverBringsConfig()) {
      fault = takeConfig(result);
      if (config.current().isEmpty()) {
        onResolutionFailed(fault.orElseThrow());
        return fault;
      }
    }
    if (!resolved) {
      events.add(EventLog.Severity.INFO, result.endpoints().size() + " endpoints resolved");
    }
    resolved = true;
    backoff.reset();
    stopRetry();
    policies.onResolved(config.wantedPolicy(), result);
    return fault;
  }

  /** Returns why the config of the resolver is not used, if so. */
  private Optional<Status> takeConfig(Resolution.Resolved result) {
    boolean hadNone = config.current().isEmpty();
    Optional<Status> fault = config.take(result);
    boolean hasOne = config.current().isPresent();
    if (hadNone && hasOne) {
      picker.onFirstConfig();
    }
    if (fault.isPresent() && hasOne) {
      LOG.log(
          Level.WARNING,
          "an invalid service config for "
              + settings.targetText()
              + " is ignored; the previous one stays in use: "
              + fault.get());
    }
    return fault.map(ChannelCore::badConfig);
  }

  private static Status badConfig(Status fault) {
    return Status.UNAVAILABLE
        .withDescription(
            "the resolver returned an invalid service config: " + fault.description().orElse(""))
        .withCause(fault.cause().orElse(null));
  }

  /**
   * A policy with endpoints requests a resolution when it needs one; without endpoints, the channel
   * does.
   */
  @Override
  public void onResolutionFailed(Status why) {
    events.add(EventLog.Severity.WARNING, "resolution failed: " + why);
    policies.onResolutionFailed(why);
    if (!resolved) {
      retryLater(why);
    }
  }

  @Override
  public void resolveAgain() {
    resolution.ask();
  }

  @Override
  public void publish(ActivePolicy from, ConnectivityState state, Picker next) {
    policies.publish(from, state, next);
  }

  @Override
  public void register(ManagedSubchannel subchannel, ActivePolicy of) {
    policies.register(subchannel, of);
    log(subchannel, "made");
  }

  private void log(ManagedSubchannel subchannel, String what) {
    String text = "subchannel to " + subchannel.address() + " " + what;
    events.add(EventLog.Severity.INFO, text, OptionalLong.of(subchannel.id()));
  }

  @Override
  public boolean takeWanted() {
    return picker.takeWanted();
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
    String policy = "the load-balancing policy " + failed.provider().policyName();
    LOG.log(
        Level.WARNING,
        policy + " of the channel to " + settings.targetText() + " threw an exception",
        thrown);
    String what = policy + " failed";
    events.add(EventLog.Severity.ERROR, what + ": " + ThrowableText.of(thrown));
    if (!policies.onFailed(failed)) {
      return; // the previous one stays in use
    }
    stopPolicyAndResolver();
    Status why = Status.UNAVAILABLE.withDescription(what + ": " + ThrowableText.of(thrown));
    Status caused = why.withCause(thrown);
    become(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(caused));
    retryLater(caused);
  }

  private void retryLater(Status why) {
    if (retry != null || isClosing()) {
      return;
    }
    try {
      retry =
          settings
              .scheduler()
              .schedule(
                  () -> tasks.run(this::retryNow),
                  backoff.nextDelayNanos(settings.scheduler().random()));
    } catch (RuntimeException | Error e) {
      onCannotBackOff(why);
      becomeIdle();
    }
  }

  private void retryNow() {
    retry = null;
    if (isClosing()) {
      return;
    }
    if (!picker.takeWanted()) {
      becomeIdle();
    } else if (policies.isPresent()) {
      resolution.ask();
    } else {
      begin();
    }
  }

  private void stopRetry() {
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
  }

  /** Becomes idle; the next call starts everything again. */
  private void becomeIdle() {
    stopRetry();
    stopPolicyAndResolver();
    become(ConnectivityState.IDLE, Picker.waiting());
  }

  private void stopPolicyAndResolver() {
    idle.stop();
    policies.end();
    resolution.stop();
  }

  @Override
  public void onOver(ManagedSubchannel subchannel) {
    if (policies.remove(subchannel)) {
      log(subchannel, "gone");
    }
    countDownIfDone();
  }

  private void countDownIfDone() {
    if (isClosing() && policies.subchannels().isEmpty()) {
      settings.connections().connector().close();
      lifecycle.terminate();
    }
  }

  /** Starts no more calls, and closes when the last running call has ended. */
  void shutdown() {
    lifecycle.shutDown(SHUT_DOWN);
    if (gate.isEmptyForGood()) {
      throwIfThrown(tasks.runAndReturnFailure(this::close));
    }
  }

  /** Ends all calls, and closes. */
  void shutdownNow() {
    lifecycle.shutDownNow(SHUT_DOWN_AT_ONCE);
    throwIfThrown(tasks.runAndReturnFailure(this::closeNow));
  }

  /** A caller that gets the exception may try again. */
  private static void throwIfThrown(@Nullable Throwable thrown) {
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
  }

  private void closeNow() {
    lifecycle.close(); // before looking for calls
    picker.failPending(SHUT_DOWN_AT_ONCE);
    withoutStream.endAll(SHUT_DOWN_AT_ONCE);
    policies.subchannels().forEach(subchannel -> subchannel.endCallsInTask(SHUT_DOWN_AT_ONCE));
    close();
  }

  /** Makes no more connections, and closes existing ones when their calls have ended. */
  private void close() {
    lifecycle.close();
    stopRetry();
    Status why = lifecycle.refusal().orElseThrow();
    become(ConnectivityState.SHUTDOWN, args -> Pick.drop(why));
    stopPolicyAndResolver();
    countDownIfDone();
  }

  @Override
  public boolean isClosing() {
    return lifecycle.isClosing();
  }

  /** Its phase: for users, and to wait for its end. */
  ChannelLifecycle lifecycle() {
    return lifecycle;
  }
}
