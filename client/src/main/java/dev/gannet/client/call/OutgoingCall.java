package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.credentials.EarlierAttempts;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.protocol.EmptyMetadata;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ExceededDeadline;
import dev.gannet.transport.FailureDetails;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * One call as the application sees it: what the caller has sent, and which {@link Attempt}
 * currently carries it. It ends once, whatever happens to its attempts.
 *
 * <pre>
 *   NEW ──start──► STARTED ──the channel counts it──► COUNTED ──the end of an attempt──► ENDED
 *    │                └──refused, or cancelled meanwhile───────────────────────────────────▲
 *    └──cancel──► CANCELLED EARLY ──start──────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Here is what all calls have in common: how they start and end, their deadline, and their
 * listener. Which attempts there are, what each of them is sent, and whose events the listener gets
 * is decided by the two kinds of call: a {@link PlainCall} has one attempt, and another one if the
 * server has not processed it; a {@link RetryingCall} has more by its policy, or does not know yet.
 * They are subclasses and not separate objects, because a call without a policy must not pay for
 * one.
 *
 * <p>Cancellation, requests for messages and readiness need no order, and go to the current
 * attempt. Events for the listener pass through {@link ResponseDelivery}, the call's inbox; {@link
 * ParentCall} is the incoming call for which this one is made; {@link CallDiagnosis} explains its
 * failure.
 *
 * <p>These methods end the call or an attempt, each on any thread. If a call is ended several
 * times, the first end counts.
 *
 * <pre>
 *   method                   called                            what ends
 *   cancelWith               for the caller, its own caller,   the call, or, if it was not started,
 *                            the channel; after a failure      as soon as it is
 *   endAttempts              by cancelWith                     attempts, and the call by that
 *   onDeadline, endLate      by the DeadlineTimer              the call, unless its stream ends it
 *   endMoved                 by the stream that it has left    the call
 *   Attempt.end              by endAttempts, or if another     an attempt, in whatever state
 *                            attempt is the call's
 *   Attempt.failBeforeStart  by that for which it waits, the   an attempt that has no stream
 *                            channel, endLate, Attempt.end
 *   Attempt.failForGood      by the picker                     such an attempt, and none follows
 *   Attempt.cancelStream     by Attempt.end                    the stream, if there is one by now
 *   add                      with an attempt's end             the call: the others lead here
 *   addEndWithoutAttempt     if no attempt is running          the call, like add
 *   onEndAdded               by these two                      the state of the call
 * </pre>
 */
abstract sealed class OutgoingCall<Q, R> extends ResponseDelivery<R> implements ClientCall<Q, R>
    permits PlainCall, RetryingCall {
  private static final AtomicReferenceFieldUpdater<OutgoingCall<?, ?>, State> STATE = updater();

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<OutgoingCall, @Nullable CallDiagnosis>
      DIAGNOSIS =
          AtomicReferenceFieldUpdater.newUpdater(
              OutgoingCall.class, CallDiagnosis.class, "diagnosis");

  /** How far the call has come. */
  private sealed interface State {}

  private enum Step implements State {
    NEW,
    /** The channel does not count it yet. */
    STARTED,
    /** The channel counts it until its end. */
    COUNTED,
    ENDED
  }

  /** The call was cancelled before it was started, and ends with this status when it is. */
  private record CancelledEarly(Status status) implements State {}

  private final CallOwner channel;
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;
  private final Attempt<Q, R> first;

  /** Null if it has no deadline, and its settings are known, so that it gets none. */
  private @Nullable DeadlineTimer timer;

  private volatile State state;

  /** Set before the call is STARTED. */
  private @Nullable CallStart<Q, R> started;

  /** By the clock of its scheduler; set with {@link #started}. */
  private long startedNanos;

  /** Null if the call is not made for an incoming call, or is over. */
  private volatile @Nullable ParentCall parent;

  private boolean messageCompression = true;
  private boolean requested;
  private boolean halfClosed;
  private volatile boolean displaced;

  /** Null while nothing has delayed the call. */
  private volatile @Nullable CallDiagnosis diagnosis;

  /** Without the fences of volatile writes: no other thread knows this object yet. */
  @SuppressWarnings("NullAway") // the updater sets the state
  OutgoingCall(CallOwner channel, MethodDescriptor<Q, R> method, CallOptions options) {
    this.channel = channel;
    this.method = method;
    this.options = options;
    this.first =
        channel.settings().calls().tracers().isEmpty()
            ? new Attempt<>(this)
            : new TracedAttempt<>(this);
    setParent(ParentCall.current());
    STATE.lazySet(this, Step.NEW);
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(headers, "headers");
    requireUnstarted();
    Optional<Metadata> more = options.metadata();
    if (more.isPresent()) {
      headers.mergeReplacing(more.get());
    }
    startWith(listener, headers);
  }

  @Override
  public void start(Listener<? super R> listener) {
    Objects.requireNonNull(listener, "listener");
    requireUnstarted();
    Optional<Metadata> own = options.metadata();
    startWith(listener, own.isPresent() ? own.get() : noHeaders());
  }

  /** Tracers may add to the headers of a call; without tracers all calls share an object. */
  private Metadata noHeaders() {
    return channel.settings().calls().tracers().isEmpty() ? EmptyMetadata.SHARED : new Metadata();
  }

  /** An exception leaves the call as it was before, or else ends it. */
  private void startWith(Listener<? super R> listener, Metadata headers) {
    ParentCall ofStart = ParentCall.atStart(parent);
    CallStart<Q, R> start =
        limited(CallStarts.of(channel.settings(), method, options, headers, inherited(ofStart)));
    deliverTo(listener);
    setParent(ofStart);
    first.onCallStart(start);
    try {
      begin(start, ofStart);
    } catch (RuntimeException | Error e) {
      cancelWith(Status.INTERNAL.withDescription("the call cannot be started").withCause(e));
      throw e;
    }
  }

  private void begin(CallStart<Q, R> start, @Nullable ParentCall parent) {
    Optional<Status> obstacle = admit(start);
    if (obstacle.isPresent()) {
      first.failBeforeStart(obstacle.get());
      return;
    }
    if (!STATE.compareAndSet(this, Step.STARTED, Step.COUNTED)) {
      channel.journal().onCallFailed();
      channel.onCallEnded(); // cancelled meanwhile
      return;
    }
    if (parent != null) {
      parent.cancels(this);
    }
    if (!hasEnded()) {
      beginFirst();
    }
  }

  /** The start with the limits of the settings that are known; there may be a deadline to watch. */
  private CallStart<Q, R> limited(CallStart<Q, R> start) {
    MethodConfig config = methodConfig();
    CallStart<Q, R> limited =
        config == null ? start : CallStarts.withConfig(config, start, channel.settings(), options);
    Deadline deadline = limited.deadline().orElse(null);
    if (config == null || deadline != null) {
      timer = new DeadlineTimer(channel.settings().scheduler(), deadline, this::onDeadline);
    }
    return limited;
  }

  private void setParent(@Nullable ParentCall parent) {
    if (this.parent != parent) { // most calls have none, and a volatile write costs a fence
      this.parent = parent;
    }
  }

  private static Optional<Deadline> inherited(@Nullable ParentCall parent) {
    return parent == null ? Optional.empty() : parent.deadline();
  }

  /** Has the channel count the call; or returns the reason why it ends as soon as it starts. */
  private Optional<Status> admit(CallStart<Q, R> start) {
    started = start;
    startedNanos = channel.settings().scheduler().nanoTime();
    if (!STATE.compareAndSet(this, Step.NEW, Step.STARTED)
        && state instanceof CancelledEarly early) {
      channel.onCallRefused();
      return Optional.of(early.status());
    }
    if (start.deadline().isPresent() && start.deadline().get().isExpired()) {
      channel.onCallRefused();
      String late = "deadline exceeded before the call was started";
      return Optional.of(Status.DEADLINE_EXCEEDED.withDescription(late));
    }
    return channel.admit();
  }

  /** The call's parent was cancelled, so nobody waits for the response. */
  void onParentCancelled() {
    ParentCall parent = this.parent;
    if (parent == null) {
      return; // this call has ended meanwhile
    }
    Optional<Deadline> deadline = asStarted().deadline();
    boolean late =
        deadline.isPresent()
            && deadline.get().isExpired(); // the same deadline as that of the other call
    cancelWith(late ? late(parent.originOfDeadline()) : parent.cancellation());
  }

  private void beginFirst() {
    if (!onBegin()) {
      return;
    }
    if (!method.type().clientSendsOneMessage()) {
      first.sendFlush(); // before the pick: as soon as its listener is ready, it may send
    }
    channel.picker().pick(first);
    if (timer != null && !first.isSettled()) {
      timer.start();
    }
    if (method.type().clientSendsOneMessage() && !hasEnded()) {
      channel.withoutStream().addUnsent(this);
    }
  }

  // What a kind of call decides.

  /** The call's first attempt begins next; returns whether it does: the call may end by that. */
  abstract boolean onBegin();

  /**
   * Binds the call to the channel's service config, if there is one now, unless it is bound: one
   * config applies to all of the call, that of the time when the call was made, or the first one
   * after that. Returns whether this thread may pick a connection for it: not if it has ended, or
   * if another thread is binding it, which does so afterwards. Any thread.
   */
  boolean bindToConfig() {
    return true;
  }

  /** What its service config says about its method; null while it is not bound. Any thread. */
  abstract @Nullable MethodConfig methodConfig();

  /** The attempt that gets requests for messages, and has the call's connection. Any thread. */
  abstract Attempt<Q, R> current();

  /** The tokens of its channel, to which a success returns some. Any thread. */
  abstract RetryThrottle throttle();

  /** The call, which was counted by its channel, has ended with a failure. Once. */
  abstract void onFailed(Metadata trailers);

  /** The start of an attempt, with its headers. */
  abstract CallStart<Q, R> callStartOf(Attempt<Q, R> attempt);

  /** Sends one of several messages. */
  abstract void sendOut(Q message, boolean compressed);

  /**
   * Sends the only message, and its half-close, so that both are written at once. The call is
   * marked as half-closed in between, or before both if they are kept as one.
   */
  abstract void sendWhole(Q message, boolean compressed);

  /** Sends the half-close. */
  abstract void closeOut();

  /** Whether an attempt has a stream that accepts messages without delay. */
  abstract boolean isStreamReady();

  /** An event of an attempt. */
  abstract void onEvent(Attempt<Q, R> attempt, CallEvent event);

  /** Whether a whole response can be one event: all of it is wanted, whatever its parts are. */
  boolean acceptsWholeResponse() {
    return false;
  }

  /** The attempts before one that is not the call's first. */
  EarlierAttempts earlierThan(Attempt<Q, R> attempt) {
    return EarlierAttempts.NONE;
  }

  /** How long none of its attempts was running, because the next one waited for a backoff. */
  long inBackoffNanos() {
    return 0;
  }

  /** The call credentials have provided these headers for an attempt. */
  void onAuthorized(Attempt<Q, R> attempt, Metadata headers) {}

  /** Whether the call may move to another stream from that of an attempt that was not processed. */
  abstract boolean mayMove(Attempt<Q, R> attempt);

  /**
   * A server has refused this attempt. Returns whether another one replaces it: once for a call,
   * whichever of its attempts is refused first (gRFC A6). Called once for each refusal.
   */
  abstract boolean mayRepeatRefused(Attempt<Q, R> attempt);

  /**
   * Another attempt replaces the one that was not processed (a transparent retry). Called on the
   * loop of the stream that the call leaves.
   */
  abstract void move(Attempt<Q, R> left, Attempt<Q, R> next, Status why);

  /**
   * Fails an attempt that waits for a connection, and its call with it: the load-balancing policy
   * drops it (gRFC A54), so no other attempt follows, even for wait-for-ready.
   */
  abstract void failForGood(Attempt<Q, R> attempt, Status why);

  /**
   * Ends the call, which has moved to this attempt: the stream that it has left was cancelled. Any
   * thread.
   */
  abstract void endMoved(Attempt<Q, R> attempt, Status status);

  /** Ends the call with this status by ending its attempts. Any thread. */
  abstract void endAttempts(Status status);

  /** The deadline has passed, and possibly no stream has handled it. */
  abstract void onDeadline();

  // What the parts of a call ask.

  /** What the call was started with. */
  final CallStart<Q, R> asStarted() {
    return Objects.requireNonNull(started);
  }

  /** The call's deadline as far as it is known by now. */
  final Optional<Deadline> deadline() {
    return timer == null ? Optional.empty() : timer.deadline();
  }

  /** The settings are known from now on, and this is the call's deadline by them. Once. */
  final void limitBy(Deadline deadline) {
    Objects.requireNonNull(timer).limitBy(deadline); // there is one if they were not known before
  }

  /** How long ago it was started. Any thread. */
  final long ageNanos() {
    return channel.settings().scheduler().nanoTime() - startedNanos;
  }

  @Override
  final MethodDescriptor<Q, R> method() {
    return method;
  }

  final CallOptions options() {
    return options;
  }

  /** The options as pickers see them. Any thread. */
  CallOptions optionsForPick() {
    return options;
  }

  /** The call for which it is made; null if there is none, or if this call has ended. */
  final @Nullable ParentCall parent() {
    return parent;
  }

  @Override
  final Executor executor() {
    return options.executor().orElse(channel.settings().calls().executor());
  }

  final CallOwner channel() {
    return channel;
  }

  final Attempt<Q, R> firstAttempt() {
    return first;
  }

  /** Whether it waits for a connection instead of failing while there is none. */
  final boolean waitsForReady() {
    Optional<Boolean> ofCall = options.waitForReady();
    if (ofCall.isPresent()) {
      return ofCall.get();
    }
    MethodConfig config = methodConfig();
    return config != null && config.waitForReady().orElse(false);
  }

  boolean hasDeadline() {
    return deadline().isPresent();
  }

  /** Whether its only request was not sent yet. Any thread; may return an old value. */
  boolean isUnsent() {
    return !halfClosed && !hasEnded();
  }

  /**
   * {@link UnsentCalls} stores it outside of its places, because its request was not sent when a
   * check, or the next call of the thread, needed its place.
   */
  void markDisplaced() {
    displaced = true;
  }

  boolean isDisplaced() {
    return displaced;
  }

  /**
   * The request is not sent for long, and no stream watches the deadline before that. Called on any
   * thread, so it must be fast.
   */
  void watchWhileUnsent() {
    watchDeadline();
    channel.withoutStream().endIfClosing(this);
  }

  @Override
  final void watchDeadline() {
    if (timer != null) {
      timer.startOrPass();
    }
  }

  @Override
  final void stopDeadline() {
    if (timer != null) {
      timer.stop();
    }
  }

  /** Whether it is over. Any thread. */
  boolean hasEnded() {
    return state == Step.ENDED;
  }

  /** An attempt has its stream; callers that send more than one message may send now. */
  void onStreamReady() {
    if (!method.type().clientSendsOneMessage()) {
      add(new CallEvent.Ready());
      wake();
    }
  }

  /** Ends the current attempt by the deadline, unless its stream does so. */
  final void endLate() {
    Attempt<Q, R> attempt = current();
    boolean waited = attempt.failBeforeStart(late(WaitReason.of(attempt)));
    // write-then-check with CallPicker.queue and UnauthorizedCalls.add: ended first, then forget
    attempt.forget();
    if (waited) {
      return;
    }
    if (isEndHeld()) {
      cancelWith(late("waiting for the application to read the response"));
    } else if (method.type().clientSendsOneMessage() && !halfClosed) {
      cancelWith(late("before the request was sent"));
    }
  }

  Status late(String where) {
    return ExceededDeadline.of(deadline(), where);
  }

  /** The call moves from an attempt whose server has not processed it, for this reason. */
  final void onMoved(Attempt<Q, R> left, Status why) {
    diagnosis().onAttemptFailed(left, why);
    channel.journal().onTransparentRetry();
  }

  /** Picks a connection for an attempt that is not the call's first. */
  final void pickFor(Attempt<Q, R> next) {
    channel.picker().pick(next);
    if (!next.isSettled()) {
      watchDeadline();
    }
  }

  @Override
  public void request(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException(
          "the number of requested messages must be positive: " + messages);
    }
    if (!method.type().serverSendsOneMessage()) {
      super.request(messages);
    } else if (!requested) {
      requested = true;
      super.request(2); // a second response is an error that must be detected, requested or not
    }
    notifyRequested();
  }

  /** The current stream may have missed that messages were requested. */
  final void notifyRequested() {
    ClientStream<Q> stream = current().stream();
    if (stream != null) {
      stream.requested();
    }
  }

  @Override
  final void onMessageTaken(int heldBytes) {
    ClientStream<Q> stream = current().reachedStream();
    if (stream != null) {
      stream.consumed(heldBytes);
    }
  }

  @Override
  public void sendMessage(Q message) {
    if (hasEnded()) {
      return;
    }
    if (message == null) {
      throw unsent(mistake("the caller sent null instead of a request message"));
    }
    if (halfClosed) {
      throw unsent(
          mistake(
              method.type().clientSendsOneMessage()
                  ? "the method has one request message, and it was sent"
                  : "no message can follow the half-close"));
    }
    try {
      if (method.type().clientSendsOneMessage()) {
        sendWhole(message, messageCompression);
      } else {
        sendOut(message, messageCompression);
      }
    } catch (StatusException e) {
      throw unsent(e.status());
    } catch (Throwable e) {
      cancelWith(Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
  }

  private Status mistake(String fault) {
    return Status.INTERNAL.withDescription(method.fullMethodName() + ": " + fault);
  }

  /** A message cannot be sent, which ends the call; returns what its sender gets. */
  private StatusException unsent(Status why) {
    cancelWith(why);
    return StatusException.ofCall(method, why, new Metadata(), new Metadata());
  }

  @Override
  public void halfClose() {
    if (!halfClosed) {
      markHalfClosed();
      closeOut();
    }
  }

  /** The half-close is sent next, by this thread. */
  final void markHalfClosed() {
    halfClosed = true; // write-then-check with UnsentCalls.displace: halfClosed first, then remove
    if (method.type().clientSendsOneMessage()) {
      channel.withoutStream().unsent().remove(this);
    }
  }

  @Override
  public void cancel(String message) {
    cancelWith(Status.CANCELLED.withDescription(message));
  }

  @Override
  public void cancel(String message, Throwable cause) {
    cancelWith(Status.CANCELLED.withDescription(message).withCause(cause));
  }

  @Override
  final void cancelWith(Status status) {
    boolean early =
        state == Step.NEW && STATE.compareAndSet(this, Step.NEW, new CancelledEarly(status));
    if (!early && !(state instanceof CancelledEarly)) { // that ends when it is started
      endAttempts(status);
    }
  }

  @Override
  public boolean isReady() {
    return isOnlyReadingLeft() || isStreamReady();
  }

  @Override
  public Optional<SocketAddress> peer() {
    ClientStream<Q> stream = current().reachedStream();
    return stream == null ? Optional.empty() : Optional.of(stream.connection().remoteAddress());
  }

  @Override
  public Optional<SSLSession> sslSession() {
    ClientStream<Q> stream = current().reachedStream();
    return stream == null ? Optional.empty() : stream.connection().tls();
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    messageCompression = enabled;
  }

  /** What has delayed the call. Created when it is first needed: most calls have none. */
  final CallDiagnosis diagnosis() {
    CallDiagnosis known = diagnosis;
    if (known == null) {
      DIAGNOSIS.compareAndSet(this, null, new CallDiagnosis(this));
      known = Objects.requireNonNull(diagnosis);
    }
    return known;
  }

  @Override
  public final void add(CallEvent event) {
    take(event instanceof CallEvent.Closed closed ? explained(closed, true) : event);
  }

  /** Adds the end of the call while no attempt is running. */
  final void addEndWithoutAttempt(CallEvent.Closed closed) {
    take(explained(closed, false));
  }

  private CallEvent.Closed explained(CallEvent.Closed closed, boolean ofAttempt) {
    return closed.status().isOk() || !FailureDetails.belongTo(closed.status())
        ? closed
        : diagnosis().explain(closed, ofAttempt);
  }

  private void take(CallEvent event) {
    super.add(event);
    if (event.isEnd()) {
      if (event instanceof CallEvent.Closed closed) {
        onEndAdded(closed.status(), closed.trailers());
      } else {
        onEndAdded(Status.OK, EmptyMetadata.SHARED);
      }
    }
  }

  /** The end is in the inbox; the rest is handled by inbox and listener. May be called again. */
  private void onEndAdded(Status status, Metadata trailers) {
    // write-then-check with UnsentCalls.displace and ParentCall.cancels: ENDED first, then forget
    State before = STATE.getAndSet(this, Step.ENDED);
    channel.withoutStream().unsent().forget(this);
    ParentCall parent = this.parent;
    if (parent != null) {
      parent.forget();
      setParent(null);
    }
    if (before == Step.COUNTED) {
      if (status.isOk()) {
        throttle().onSuccess();
      } else {
        channel.journal().onCallFailed();
        onFailed(trailers);
      }
      channel.onCallEnded();
    }
  }

  @Override
  final void onEndDelivered(Status status, Metadata trailers) {
    first.onCallEnd(status, trailers);
  }

  @Override
  public final void wake() {
    try {
      super.wake();
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
  }

  /** The executor rejects tasks: the listener gets the rest on this thread. */
  private void onExecutorRefused(RejectedExecutionException e) {
    cancelWith(
        Status.CANCELLED
            .withDescription("the executor of the client's call rejected a task")
            .withCause(e));
    try {
      deliverHere();
    } catch (ListenerFailure logged) {
      // The exception must not reach the connection, which may own this thread.
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<OutgoingCall<?, ?>, State> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(OutgoingCall.class, State.class, "state");
  }
}
