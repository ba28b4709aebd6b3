package dev.gannet.client.call;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.credentials.CredentialHeaders;
import dev.gannet.client.credentials.EarlierAttempts;
import dev.gannet.client.subchannel.PendingAttempt;
import dev.gannet.client.subchannel.TrackedCallListener;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One try to make a call, on one connection.
 *
 * <pre>
 *   WAITING (for a pick) ──startOn──► STARTED ──► the call's end
 *      │                                 └──not processed──► LEFT, and another attempt is WAITING
 *      └──cancel, deadline, no connection──► FAILED
 * </pre>
 *
 * <p>The {@link PendingStream} stores WAITING, STARTED and FAILED. An attempt is LEFT if the call
 * has another current one. Transparent retries (gRFC A6) are attempts: up to 16 for a call that was
 * never sent, so that a server that accepts connections but no calls is not tried forever, and one
 * more for a call that was refused. Commands that reach an attempt that is LEFT are forwarded by
 * its stream to the next attempt, in their order. {@link OutgoingCall} lists what ends an attempt.
 */
sealed class Attempt<Q, R> extends PendingStream<Q>
    implements ClientCallEventListener, RetryTarget, PendingAttempt, ConfigSelector.Args
    permits TracedAttempt {
  private static final int MAX_RETRIES = 16;

  private final OutgoingCall<Q, R> call;

  /** The number of transparent retries of the call before this attempt. */
  private final byte retries;

  /** Whether this one has replaced one that its server has refused, or that had replaced one. */
  private final boolean refusedBefore;

  /** The number of earlier attempts by the call's policy, without transparent retries. */
  private final byte previousAttempts;

  /** The call's first attempt. */
  Attempt(OutgoingCall<Q, R> call) {
    this(call, 0, false, 0);
  }

  /** A later attempt. */
  Attempt(OutgoingCall<Q, R> call, int retries, boolean refusedBefore, int previousAttempts) {
    this.call = call;
    this.retries = (byte) retries;
    this.refusedBefore = refusedBefore;
    this.previousAttempts = (byte) previousAttempts;
  }

  /** The attempt after this one; empty if the maximum is reached. */
  private Optional<Attempt<Q, R>> next(NotProcessed how, Status why) {
    boolean refused = how == NotProcessed.REFUSED;
    boolean again = refused ? call.mayRepeatRefused(this) : retries < MAX_RETRIES;
    return again
        ? Optional.of(follow(why, Math.min(retries + 1, MAX_RETRIES), refused || refusedBefore))
        : Optional.empty();
  }

  /** The attempt after this one, which its server has not processed for this reason. */
  Attempt<Q, R> follow(Status why, int retries, boolean refusedBefore) {
    return new Attempt<>(call, retries, refusedBefore, previousAttempts);
  }

  /** An attempt of the call's policy, which is not a transparent retry. */
  Attempt<Q, R> another(int previousAttempts) {
    return new Attempt<>(call, 0, false, previousAttempts);
  }

  @Override
  public final int previousAttempts() {
    return previousAttempts;
  }

  /** For its credentials: the attempts of the call before this one. */
  final EarlierAttempts earlier() {
    return previousAttempts == 0 ? EarlierAttempts.NONE : call.earlierThan(this);
  }

  /** Whether this attempt has replaced one that was refused. */
  final boolean isRefusedBefore() {
    return refusedBefore;
  }

  /** The call starts with its first attempt. For tracers. */
  void onCallStart(CallStart<Q, R> start) {}

  /** The call credentials are asked. For tracers. */
  void onCredentialsAsked() {}

  /** The call credentials have answered. For tracers. */
  void onCredentialsAnswered() {}

  /** The call's listener is notified of the end next. For tracers. */
  void onCallEnd(Status status, Metadata trailers) {}

  /** The call of this attempt. */
  final OutgoingCall<Q, R> call() {
    return call;
  }

  /** The start of the call, with its headers. */
  CallStart<Q, R> callStart() {
    return call.callStartOf(this);
  }

  @Override
  public boolean hasEnded() {
    return call.hasEnded() || isSettled();
  }

  @Override
  public boolean bindToConfig() {
    return call.bindToConfig();
  }

  @Override
  public boolean waitsForReady() {
    return call.waitsForReady();
  }

  @Override
  public void onWaited(long sinceNanos) {
    call.diagnosis().onWaited(sinceNanos);
  }

  @Override
  public void onWaitedForStream(long sinceNanos) {
    call.diagnosis().onWaitedForStream(sinceNanos);
  }

  /** It has waited since this time for its call credentials. */
  final void onWaitedForCredentials(long sinceNanos) {
    call.diagnosis().onWaitedForCredentials(sinceNanos);
  }

  /** The credentials that provide additional headers for it; null if there are none. */
  final @Nullable CallCredentials credentials() {
    return CredentialHeaders.both(
        call.channel().settings().security().callCredentials().orElse(null), call.options());
  }

  /** Starts the attempt on a connection and sends the buffered commands to it. */
  @Override
  public void startOn(ClientTransport transport, @Nullable CallTracker tracker, Pick.Use pick) {
    CallCredentials credentials = credentials();
    TrackedCallListener tracked =
        TrackedCallListener.begin(this, tracker, pick.callTracker(), this);
    if (credentials == null) {
      startOn(transport, tracked, pick, null);
    } else {
      onCredentialsAsked();
      CallAuthorization.ask(
          this,
          credentials,
          PickedStart.authority(callStart(), pick, transport),
          more -> {
            onCredentialsAnswered();
            call.onAuthorized(this, more);
            startOn(transport, tracked, pick, more);
          },
          () -> endUnsent(tracked));
    }
  }

  private void startOn(
      ClientTransport transport,
      @Nullable TrackedCallListener tracked,
      Pick.Use pick,
      @Nullable Metadata more) {
    if (!openOn(transport, tracked == null ? this : tracked, pick, more)) {
      endUnsent(tracked);
    }
  }

  private static void endUnsent(@Nullable TrackedCallListener tracked) {
    if (tracked != null) {
      tracked.end(Status.CANCELLED.withDescription("the call ended before it was sent"));
    }
  }

  /** What is sent, without the headers of call credentials. For tracers. */
  CallStart<Q, R> callStartFor(Pick.Use pick) {
    return PickedStart.of(callStart(), pick);
  }

  /** The headers that are sent: those of the call, of its pick, and of its credentials. */
  private CallStart<Q, R> callStartWith(Pick.Use pick, @Nullable Metadata more) {
    CallStart<Q, R> start = callStartFor(pick);
    if (more == null) {
      return start;
    }
    Metadata all = start.headers().copy(); // the call's own object is also used by its next attempt
    all.merge(more);
    return start.withHeaders(all);
  }

  /** Returns false if the stream will report nothing. */
  private boolean openOn(
      ClientTransport transport,
      ClientCallEventListener events,
      Pick.Use pick,
      @Nullable Metadata more) {
    ClientStream<Q> opened;
    try {
      opened = transport.open(callStartWith(pick, more), events);
    } catch (Throwable e) {
      failBeforeStart(Status.INTERNAL.withDescription("the call cannot be started").withCause(e));
      return false;
    }
    boolean connected;
    try {
      connected = connect(opened);
    } catch (StatusException e) {
      opened.cancel(e.status());
      return true;
    } catch (Throwable e) {
      opened.cancel(Status.INTERNAL.withDescription("the call cannot be started").withCause(e));
      return true;
    }
    if (connected) {
      opened.requested(); // earlier requests could not be passed to it
      call.onStreamReady();
    }
    return connected;
  }

  @Override
  public boolean failBeforeStart(Status status) {
    boolean waited = dropCommands();
    if (waited) {
      add(CallEvent.Closed.atOnce(status));
      flush();
    }
    return waited;
  }

  @Override
  public void failForGood(Status why) {
    call.failForGood(this, why);
  }

  /** Ends the call by ending this attempt, in whatever state it is. Any thread; does not wait. */
  void end(Status status) {
    ClientStream<Q> opened = stream();
    if (opened != null) {
      opened.cancel(status);
    } else {
      failBeforeStart(status);
      // write-then-check with CallPicker.queue and UnauthorizedCalls.add: ended first, then forget
      forget();
      cancelStream(status); // if there is a stream in the meantime
    }
  }

  /** The attempt has ended: it waits neither for a connection nor for its credentials. */
  final void forget() {
    call.channel().picker().forget(this);
    call.channel().withoutStream().unauthorized().forget(this);
  }

  @Override
  public Optional<RetryTarget> onNotProcessed(NotProcessed how, Status why) {
    Optional<Attempt<Q, R>> next = call.mayMove(this) ? next(how, why) : Optional.empty();
    next.ifPresent(it -> call.move(this, it, why));
    return next.map(RetryTarget.class::cast);
  }

  @Override
  public void cancel(Status status) {
    call.endMoved(this, status);
  }

  @Override
  public void add(CallEvent event) {
    call.onEvent(this, event);
  }

  @Override
  public void addWholeResponse(CallEvent.Handed message) {
    if (isTraced() || !call.acceptsWholeResponse()) {
      ClientCallEventListener.super.addWholeResponse(message);
    } else {
      message.becomeWholeResponse();
      call.onEvent(this, message);
    }
  }

  @Override
  public void flush() {
    call.wake();
  }

  @Override
  public boolean isMessageRequested() {
    return call.isMessageRequested();
  }

  @Override
  public MethodDescriptor<?, ?> method() {
    return callStart().method();
  }

  @Override
  public CallOptions options() {
    return call.optionsForPick();
  }

  @Override
  public Metadata headers() {
    return callStart().headers().copy();
  }
}
