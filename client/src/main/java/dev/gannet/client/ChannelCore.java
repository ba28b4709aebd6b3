package dev.gannet.client;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.call.CallOwner;
import dev.gannet.client.call.CallsWithoutStream;
import dev.gannet.client.call.PlainCall;
import dev.gannet.client.call.RetryingCall;
import dev.gannet.client.journal.ChannelJournal;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.client.subchannel.CallPicker;
import dev.gannet.client.subchannel.ManagedSubchannel;
import dev.gannet.client.subchannel.SubchannelValues;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.transport.ClientTransport;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A channel's engine: admits calls, and ends them and the channel. What calls are sent on is the
 * subject of its {@link ChannelConnectivity}.
 *
 * <p>Its {@link ChannelLifecycle} has its states. All changes are tasks of {@link SerialTasks}.
 * Calls do not use tasks: they pass the {@link CallGate} and are picked by the {@link CallPicker}.
 */
final class ChannelCore implements CallOwner, ObservedChannel {
  private static final Status SHUT_DOWN =
      Status.UNAVAILABLE.withDescription("the channel is shut down");
  private static final Status SHUT_DOWN_AT_ONCE =
      Status.UNAVAILABLE.withDescription("the channel was closed before the call ended");

  private final ChannelSettings settings;
  private final ChannelObservers observers;
  private final SerialTasks tasks;
  private final ChannelLifecycle lifecycle = new ChannelLifecycle();
  private final CallGate gate = new CallGate(lifecycle);
  private final ChannelJournal journal = new ChannelJournal();
  private final CallsWithoutStream withoutStream;
  private final ReplayLimits replayLimits;

  /** Changed in tasks; any thread reads what new calls use. */
  private final ChannelConfig config;

  private final ChannelConnectivity connectivity;

  ChannelCore(ChannelSettings settings, ChannelObservers observers) {
    this.settings = settings;
    this.observers = observers;
    this.tasks = new SerialTasks(settings.targetText());
    this.withoutStream = new CallsWithoutStream(lifecycle, tasks, settings.scheduler());
    RetrySettings retries = settings.policies().serviceConfigs().retries();
    this.replayLimits = new ReplayLimits(retries.callBytes(), retries.channelBytes());
    this.config = new ChannelConfig(settings, journal.events());
    this.connectivity =
        new ChannelConnectivity(settings, tasks, gate, config, journal, this::terminate);
  }

  @Override
  public ChannelSettings settings() {
    return settings;
  }

  /** A call that has not started. */
  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    Optional<ActiveConfig> now = config.current();
    if (now.isEmpty()) {
      return RetryingCall.beforeConfig(this, method, options);
    }
    if (now.get().selector().isPresent()) {
      return RetryingCall.withSelector(this, method, options, now.get());
    }
    MethodSettings known = now.get().of(method);
    return known.attempts().isEmpty()
        ? new PlainCall<>(this, method, options, known)
        : RetryingCall.withPolicy(this, method, options, known);
  }

  @Override
  public Optional<ActiveConfig> config() {
    return config.current();
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
  public void onCallRefused() {
    gate.refuse();
    journal.onCallFailed();
    closeIfEmpty(); // as above
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
    return connectivity.resolverNanos(fromNanos, toNanos);
  }

  /** Notifies the observers that it is built; one that throws has ended it. */
  void begin() {
    try {
      observers.built(this);
    } catch (Throwable e) {
      shutdownNow();
      throw e;
    }
  }

  @Override
  public long id() {
    return journal.id();
  }

  @Override
  public ChannelSnapshot snapshot() {
    long ended = gate.ended(); // before those that began
    long refused = gate.refused();
    long failed = journal.failedCalls();
    CallPicker picker = picker();
    return new ChannelSnapshot(
        new ChannelSnapshot.Values(
            journal.id(),
            settings.targetText(),
            connectivity.reported().current(),
            new ChannelCallCounts(
                new ChannelCallCounts.Values(
                    gate.begun(),
                    refused,
                    Math.max(0, ended - failed),
                    failed,
                    journal.transparentRetries(),
                    journal.retries(),
                    journal.hedges(),
                    picker.delayedPicks(),
                    picker.failedPicks())),
            picker.pending().count(),
            config.maxConnectionsPerSubchannel(),
            new ChannelTrace(journal.events().kept()),
            connectivity.subchannels().stream()
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
    for (ManagedSubchannel subchannel : connectivity.subchannels()) {
      ClientTransport transport = subchannel.transport();
      if (transport != null) {
        return new ChannelPing(settings.calls().executor())
            .send(
                transport,
                settings.scheduler(),
                settings.connections().settings().keepalive().timeoutNanos());
      }
    }
    return ChannelPing.failed(
        Status.UNAVAILABLE.withDescription(
            "no connection to "
                + settings.targetText()
                + " to send a PING on: the channel is "
                + picker().state()));
  }

  @Override
  public CallPicker picker() {
    return connectivity.picker();
  }

  @Override
  public CallsWithoutStream withoutStream() {
    return withoutStream;
  }

  ChannelConnectivity connectivity() {
    return connectivity;
  }

  /** The channel's last connection is closed. In a task. */
  private void terminate() {
    settings.connections().connector().close();
    lifecycle.terminate();
    observers.terminated(this);
  }

  /** The application can use it no more, although it has not shut it down. */
  void forget() {
    settings.connections().connector().close();
    observers.terminated(this);
  }

  /** Starts no more calls, and closes when the last running call has ended. */
  void shutdown() {
    lifecycle.shutDown(SHUT_DOWN);
    if (gate.isEmptyForGood()) {
      throwIfThrown(tasks.runAndReturnFailure(this::close));
    } else {
      tasks.run(connectivity::onShutDown);
    }
  }

  /** Ends all calls, and closes. */
  void shutdownNow() {
    lifecycle.shutDownNow(SHUT_DOWN_AT_ONCE);
    throwIfThrown(tasks.runAndReturnFailure(this::closeNow));
  }

  /** Not all connections are closed: a caller that gets the exception may try again. */
  private static void throwIfThrown(@Nullable Throwable thrown) {
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
  }

  private void closeNow() {
    // write-then-check with CallsWithoutStream.endIfClosing: the phase first, then the calls
    lifecycle.close();
    try {
      picker().failPending(SHUT_DOWN_AT_ONCE);
      withoutStream.endAll(SHUT_DOWN_AT_ONCE);
      connectivity.endCalls(SHUT_DOWN_AT_ONCE);
    } finally {
      close();
    }
  }

  /** Makes no more connections, and closes existing ones when their calls have ended. */
  private void close() {
    lifecycle.close();
    connectivity.close(lifecycle.refusal().orElseThrow());
  }

  @Override
  public boolean isClosing() {
    return lifecycle.isClosing();
  }

  /** The channel's phase: for users, and to wait for its end. */
  ChannelLifecycle lifecycle() {
    return lifecycle;
  }
}
