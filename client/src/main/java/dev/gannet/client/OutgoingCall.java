package dev.gannet.client;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallInbox;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ExceededDeadline;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * One call as the application holds it: what the caller has said, and which {@link Attempt} carries
 * it by now. It ends once, whatever becomes of its attempts.
 *
 * <pre>
 *   NEW ──start──► STARTED (attempts go on) ──the end of an attempt──► ENDED
 *    └──cancel──► CANCELLED EARLY ──start─────────────────────────────────▲
 * </pre>
 *
 * <p>A call has one attempt, and those that follow it because the server has not processed it. A
 * {@link RetryingCall} has more by its policy, and decides about the methods below that others
 * leave as they are.
 *
 * <p>What the caller sends goes to the call's first attempt for good; if that has been left, its
 * stream passes it on. Cancellation, requests and readiness have no order to keep, and go to the
 * current attempt. What is told to the listener goes through the inbox to {@link ResponseDelivery};
 * {@link CallLifetime} knows whether the channel counts the call.
 */
sealed class OutgoingCall<Q, R> implements ClientCall<Q, R> permits RetryingCall {
  private static final AtomicReferenceFieldUpdater<OutgoingCall<?, ?>, @Nullable Object> BEGINNING =
      updater();

  private final ChannelCore core;
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;
  private final CallInbox inbox;
  private final ResponseDelivery<R> delivery = new ResponseDelivery<>(this);
  private final CallLifetime lifetime = new CallLifetime();
  private final Attempt<Q, R> first;
  private volatile Attempt<Q, R> current;
  private @Nullable DeadlineTimer timer;

  /** Null at first, then a {@link CallStart}, or the {@link Status} that came before it. */
  private volatile @Nullable Object beginning;

  private boolean messageCompression = true;
  private boolean requested;
  private boolean halfClosed;
  private volatile boolean slow;

  /** What has held the call up; null for those that nothing has. */
  private volatile @Nullable CallHistory history;

  OutgoingCall(ChannelCore core, MethodDescriptor<Q, R> method, CallOptions options) {
    this.core = core;
    this.method = method;
    this.options = options;
    Executor executor = options.executor().orElse(core.settings().executor());
    this.inbox = new CallInbox(executor, delivery);
    this.first = tracers().isEmpty() ? new Attempt<>(this) : new TracedAttempt<>(this);
    this.current = first;
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    Objects.requireNonNull(headers, "headers");
    delivery.begin(Objects.requireNonNull(listener, "listener"));
    Optional<Metadata> more = options.metadata();
    if (more.isPresent()) {
      headers.merge(more.get());
    }
    CallStart<Q, R> start =
        CallStarts.by(
            core.methodConfig(method),
            CallStarts.of(core.settings(), method, options, headers, lifetime.servedCall()),
            core.settings().transport());
    if (start.deadline().isPresent()) {
      timer =
          new DeadlineTimer(core.settings().transport(), start.deadline().get(), this::onDeadline);
    }
    first.onCallStart(start);
    Optional<Status> obstacle = obstacle(start);
    if (obstacle.isEmpty()) {
      obstacle = core.admit();
    }
    if (obstacle.isPresent()) {
      first.failBeforeStart(obstacle.get());
      return;
    }
    if (!lifetime.admit()) {
      core.journal().onCallFailed();
      core.onCallEnded(); // cancelled meanwhile
      return;
    }
    try {
      lifetime.endWithServedCall(this);
      if (!hasEnded()) {
        begin();
      }
    } catch (RuntimeException | Error e) {
      cancelWith(Status.INTERNAL.withDescription("the call cannot be started").withCause(e));
      throw e;
    }
  }

  /** What ends the call as soon as it begins. */
  private Optional<Status> obstacle(CallStart<Q, R> start) {
    if (!BEGINNING.compareAndSet(this, null, start)) {
      return Optional.of((Status) Objects.requireNonNull(beginning));
    }
    boolean late = start.deadline().isPresent() && start.deadline().get().isExpired();
    return late
        ? Optional.of(
            Status.DEADLINE_EXCEEDED.withDescription(
                "deadline exceeded before the call was started"))
        : Optional.empty();
  }

  /** Nobody waits for the call's answer any more. */
  void onServedCallCancelled() {
    Optional<Deadline> deadline = asStarted().deadline();
    boolean late = deadline.isPresent() && deadline.get().isExpired(); // as that of the other is
    cancelWith(
        late
            ? late("inherited from the incoming call")
            : Status.CANCELLED.withDescription(
                "the incoming call, whose handler made this call, was cancelled"));
  }

  private void begin() {
    onBegin();
    if (!method.type().clientSendsOneMessage()) {
      first.sendFlush(); // ahead of the pick: once its listener is told ready, it may send
    }
    picker().pick(first);
    if (timer != null && !first.isSettled()) {
      timer.start();
    }
    if (method.type().clientSendsOneMessage() && !hasEnded()) {
      core.addUnsent(this);
    }
  }

  /** The call's first attempt begins next. */
  void onBegin() {}

  /**
   * What the attempt begins with, its headers among it: for all attempts the same, unless a policy
   * has made them.
   */
  CallStart<Q, R> startOf(Attempt<Q, R> attempt) {
    return asStarted();
  }

  @SuppressWarnings("unchecked") // no start of another type comes in, and no other call is picked
  final CallStart<Q, R> asStarted() {
    return (CallStart<Q, R>) Objects.requireNonNull(beginning);
  }

  MethodDescriptor<Q, R> method() {
    return method;
  }

  CallOptions options() {
    return options;
  }

  /** Who makes tracers for the channel's calls. */
  List<ClientCallTracer.Factory> tracers() {
    return core.settings().tracers();
  }

  final CallPicker picker() {
    return core.picker();
  }

  /** Who is asked for more headers for each attempt; null if nobody is. */
  @Nullable CallCredentials credentials() {
    return CallAuthorization.of(core.settings().callCredentials().orElse(null), options);
  }

  /** What the channel's connections protect from. */
  SecurityLevel securityLevel() {
    return core.settings().securityLevel();
  }

  /**
   * That attempt has its connection, and waits for its credentials from now on.
   *
   * @param unsent run if it ends while it waits
   */
  void awaitCredentials(Attempt<?, ?> attempt, Runnable unsent) {
    picker().addUnauthorized(attempt, unsent);
    core.endIfClosed(this);
  }

  final ChannelCore core() {
    return core;
  }

  final Attempt<Q, R> firstAttempt() {
    return first;
  }

  /** The attempt that requests go to and readiness comes from. */
  final Attempt<Q, R> current() {
    return current;
  }

  final void setCurrent(Attempt<Q, R> attempt) {
    current = attempt;
  }

  /** Whether it waits for a connection instead of failing while there is none. */
  final boolean waitsForReady() {
    return options.isWaitForReadySet()
        ? options.waitForReady()
        : core.methodConfig(method).waitForReady().orElse(false);
  }

  boolean hasDeadline() {
    return timer != null;
  }

  /** Whether its only request is still to be sent. Any thread; what it sees may be a bit old. */
  boolean isUnsent() {
    return !halfClosed && !hasEnded();
  }

  /** {@link UnsentCalls} keeps it apart, for its request was not sent when somebody looked. */
  void markSlow() {
    slow = true;
  }

  boolean isSlow() {
    return slow;
  }

  /**
   * Its request is long in coming, and no stream watches the deadline before. Any thread, which
   * must not suffer for it.
   */
  void watchWhileUnsent() {
    watchDeadline();
    core.endIfClosed(this);
  }

  /** No stream watches the deadline by now. Any thread, likewise. */
  void watchDeadline() {
    if (timer != null) {
      timer.startOrPass();
    }
  }

  void stopDeadline() {
    if (timer != null) {
      timer.stop();
    }
  }

  /** Whether it is over. Any thread. */
  boolean hasEnded() {
    return lifetime.hasEnded();
  }

  /** An attempt has its stream; callers that send more than one message may send now. */
  void onStreamReady() {
    if (!method.type().clientSendsOneMessage()) {
      inbox.add(new CallEvent.Ready());
      wake();
    }
  }

  /** The deadline passed, and it may be that no stream has seen to it. */
  void onDeadline() {
    Attempt<Q, R> attempt = current;
    boolean waited = attempt.failBeforeStart(late(core.waitingFor(attempt)));
    picker().forget(attempt); // behind the end: who has it wait looks at that after it
    if (waited) {
      return;
    }
    if (delivery.isEndHeld()) {
      cancelWith(late("waiting for the application to read the response"));
    } else if (method.type().clientSendsOneMessage() && !halfClosed) {
      cancelWith(late("before the request was sent"));
    }
  }

  Status late(String where) {
    return ExceededDeadline.of(asStarted().deadline(), where);
  }

  /** Whether another attempt may follow that one, which its server has not processed. */
  boolean isRetryPossible(Attempt<Q, R> attempt) {
    return !core.isClosed();
  }

  /**
   * The second attempt carries the call from now on, in place of the first. On the loop of the
   * stream that the call leaves.
   */
  void retry(Attempt<Q, R> left, Attempt<Q, R> next, Status why) {
    onRetry(why);
    current = next;
    begin(next);
  }

  /** An attempt has failed with that, and another follows. */
  final void onRetry(Status why) {
    history = history().failed(why);
    core.journal().onRetry();
  }

  /** Has an attempt picked that is not the call's first. */
  final void begin(Attempt<Q, R> next) {
    picker().pick(next);
    if (!next.isSettled()) {
      watchDeadline();
    }
  }

  @Override
  public void request(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException("request of " + messages + " messages");
    }
    if (!method.type().serverSendsOneMessage()) {
      requestOfInbox(messages);
    } else if (!requested) {
      requested = true;
      requestOfInbox(2); // a second response is a fault that must be seen, asked for or not
    }
    tellRequested();
  }

  /** The current stream may have missed that messages were asked for. */
  final void tellRequested() {
    ClientStream<Q> stream = current.stream();
    if (stream != null) {
      stream.requested();
    }
  }

  boolean isMessageRequested() {
    return inbox.isMessageRequested();
  }

  /** The application takes a message of that size. */
  void onMessageTaken(int heldBytes) {
    ClientStream<Q> stream = current.stream();
    if (stream != null) {
      stream.consumed(heldBytes);
    }
  }

  private void requestOfInbox(int messages) {
    try {
      inbox.request(messages);
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
  }

  @Override
  public void sendMessage(Q message) {
    Objects.requireNonNull(message, "message");
    if (halfClosed) {
      throw new IllegalStateException(
          method.fullMethodName() + ": no message can follow the half-close");
    }
    try {
      sendOut(message, messageCompression);
    } catch (StatusException e) {
      cancelWith(e.status());
      return;
    } catch (Throwable e) {
      cancelWith(Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
    if (method.type().clientSendsOneMessage()) {
      halfClose(); // so that the whole request leaves in one
    }
  }

  /** Sends a message; the only one of a call waits for its half-close. */
  void sendOut(Q message, boolean compressed) {
    first.sendMessage(message, compressed);
    if (!method.type().clientSendsOneMessage()) {
      first.sendFlush();
    }
  }

  /** Sends that no message follows. */
  void closeOut() {
    first.sendHalfClose();
    first.sendFlush();
  }

  @Override
  public void halfClose() {
    if (!halfClosed) {
      halfClosed = true;
      if (method.type().clientSendsOneMessage()) {
        core.unsent().remove(this);
      }
      closeOut();
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

  /** Ends the call with that status, wherever it is. Any thread. */
  void cancelWith(Status status) {
    if (beginning == null) {
      BEGINNING.compareAndSet(this, null, status);
    }
    if (!(beginning instanceof Status)) { // else its start ends it
      endAttempts(status);
    }
  }

  /** Ends the call with that status by ending its attempts. Any thread. */
  void endAttempts(Status status) {
    current.end(status);
  }

  /** An attempt that its stream has left is to end. Any thread. */
  void endAttempt(Attempt<Q, R> attempt, Status status) {
    cancelWith(status);
  }

  /**
   * The load-balancing policy drops the attempt (gRFC A54): no other follows, whatever it waits
   * for.
   */
  void drop(Attempt<Q, R> attempt, Status why) {
    attempt.failBeforeStart(why);
  }

  /** Something has happened to an attempt. */
  void onEvent(Attempt<Q, R> attempt, CallEvent event) {
    add(event);
  }

  @Override
  public boolean isReady() {
    ClientStream<Q> stream = current.stream();
    return isEndHeld() || (stream != null && stream.isReady());
  }

  final boolean isEndHeld() {
    return delivery.isEndHeld();
  }

  @Override
  public Optional<SocketAddress> peer() {
    ClientStream<Q> stream = current.reachedStream();
    return stream == null ? Optional.empty() : Optional.of(stream.connection().remoteAddress());
  }

  @Override
  public Optional<SSLSession> sslSession() {
    ClientStream<Q> stream = current.reachedStream();
    return stream == null ? Optional.empty() : stream.connection().tls();
  }

  @Override
  public boolean isResponseCompressed() {
    return delivery.isResponseCompressed();
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    messageCompression = enabled;
  }

  private CallHistory history() {
    CallHistory known = history;
    return known == null ? CallHistory.NONE : known;
  }

  /** An attempt of the call has waited since then for a connection or a stream. */
  void onWaited(long sinceNanos) {
    long nowNanos = core.settings().transport().nanoTime();
    history = history().waited(core.resolverNanos(sinceNanos, nowNanos), nowNanos - sinceNanos);
  }

  /** The end with what the channel knows of it. */
  private CallEvent.Closed explained(CallEvent.Closed closed) {
    Status status = closed.status();
    boolean explains =
        status.code() == Status.Code.UNAVAILABLE
            || status.code() == Status.Code.DEADLINE_EXCEEDED
            || status.failure().isPresent();
    if (!explains) {
      return closed;
    }
    Optional<Long> totalNanos = timer == null ? Optional.empty() : Optional.of(timer.ageNanos());
    CallHistory known = history();
    OptionalLong waitsSince = picker().pending().sinceNanos(current);
    if (waitsSince.isPresent()) { // the thread that ends it removes it after that
      long nowNanos = core.settings().transport().nanoTime();
      long since = waitsSince.getAsLong();
      known = known.waited(core.resolverNanos(since, nowNanos), nowNanos - since);
    }
    return closed.withStatus(status.withFailure(known.failure(status, core, totalNanos)));
  }

  /** Something has happened to the call; its listener is told once it is woken. */
  final void add(CallEvent event) {
    if (event instanceof CallEvent.Closed closed && !closed.status().isOk()) {
      take(explained(closed));
    } else {
      take(event);
    }
  }

  private void take(CallEvent event) {
    inbox.add(event);
    if (event instanceof CallEvent.Closed closed) {
      boolean counted = lifetime.end(); // ahead of the next: who keeps it apart looks after that
      core.unsent().forget(this);
      if (counted) {
        if (!closed.status().isOk()) {
          core.journal().onCallFailed();
        }
        core.onCallEnded(); // what is left is between inbox and listener
      }
    }
  }

  /** The listener is told of the end next. */
  void onEndTold(Status status, Metadata trailers) {
    first.onCallEnd(status, trailers);
  }

  /** Has the listener told what has happened. */
  void wake() {
    try {
      inbox.wake();
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
  }

  /** The listener is told the rest on the thread that finds this out. */
  private void onExecutorRefused(RejectedExecutionException e) {
    cancelWith(
        Status.CANCELLED.withDescription("the call's executor rejected a task").withCause(e));
    try {
      inbox.deliverHere();
    } catch (ListenerFailure told) {
      // No word of it may reach the connection, whose thread this may be.
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<OutgoingCall<?, ?>, @Nullable Object> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(OutgoingCall.class, Object.class, "beginning");
  }
}
