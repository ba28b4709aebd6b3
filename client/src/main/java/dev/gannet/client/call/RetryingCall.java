package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.call.CallSettings.Binding;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.credentials.EarlierAttempts;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts.Begin;
import dev.gannet.client.retry.CallAttempts.Decision;
import dev.gannet.client.retry.CallAttempts.Joining;
import dev.gannet.client.retry.CallAttempts.Verdict;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.Scheduler;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A call of which only its settings can say whether it has several attempts: one with a policy for
 * them (gRFC A6), which follow each other or run in parallel, and also one whose settings are not
 * known when it is made. Once they are, and have no policy, it is committed to its first attempt.
 *
 * <p>Others decide, and do nothing themselves: its {@link CallSettings} have the {@link
 * AttemptPolicy}, and its {@link RetryState} says which attempts there are by it, to which one the
 * call is committed, and which part of the request an attempt gets next. This class is their
 * driver: it reports to them what happens, starts the attempts, and passes the events of one of
 * them on. {@link AttemptFeeder} sends the request to the attempts.
 *
 * <p>The contract: until the call is committed, its listener is only notified of readiness, and
 * each message that the application sends is kept and passed to every running attempt, in order.
 * The call is committed to an attempt by response headers, by the end of that attempt if none may
 * follow, by a request that exceeds its limits, or by a cancellation. From then on nothing is kept,
 * the other attempts are cancelled and ignored, and messages take no lock. There is one deadline
 * and one cancellation for all attempts. If a message cannot be sent, the call is cancelled.
 *
 * <p>The lock is inside the {@link RetryState}: everything here and in the feeder happens without
 * it. Most calls are answered by their first attempt, and end without a RetryState: {@link
 * FirstAttemptAlone} has what is known of them until then.
 */
public final class RetryingCall<Q, R> extends OutgoingCall<Q, R>
    implements AttemptFeeder.Listener<Q, R>, AttemptTimers.Listener<Q, R> {
  private final CallSettings<Q, R> settings;

  private final FirstAttemptAlone<Q, R> alone = new FirstAttemptAlone<>();

  /** Null before the caller sends something that has to be kept by a RetryState. The caller's. */
  private @Nullable AttemptFeeder<Q, R> feeder;

  private RetryingCall(
      CallOwner channel, MethodDescriptor<Q, R> method, CallOptions options, MethodSettings known) {
    super(channel, method, options);
    this.settings = new KnownSettings<>(this, known);
  }

  private RetryingCall(
      CallOwner channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      @Nullable ActiveConfig withSelector) {
    super(channel, method, options);
    this.settings = new LateSettings<>(this, withSelector);
  }

  /**
   * A call by the policy of its method.
   *
   * @param settings with such a policy
   */
  public static <Q, R> RetryingCall<Q, R> withPolicy(
      CallOwner channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      MethodSettings settings) {
    return new RetryingCall<>(channel, method, options, settings);
  }

  /**
   * A call whose channel has no config yet: the one at the first pick is used, and whether the call
   * may have several attempts is known then.
   */
  public static <Q, R> RetryingCall<Q, R> beforeConfig(
      CallOwner channel, MethodDescriptor<Q, R> method, CallOptions options) {
    return new RetryingCall<>(channel, method, options, (ActiveConfig) null);
  }

  /**
   * A call for which the selector of its channel's config chooses the settings when it begins.
   *
   * @param config with a selector
   */
  public static <Q, R> RetryingCall<Q, R> withSelector(
      CallOwner channel, MethodDescriptor<Q, R> method, CallOptions options, ActiveConfig config) {
    return new RetryingCall<>(channel, method, options, config);
  }

  @Override
  @Nullable MethodConfig methodConfig() {
    return settings.config();
  }

  @Override
  RetryThrottle throttle() {
    return settings.throttle();
  }

  @Override
  void onFailed(Metadata trailers) {
    if (settings.policy() == null) { // otherwise it counts the failures of attempts
      settings.throttle().onFailureWithoutPolicy(trailers);
    }
  }

  @Override
  CallOptions optionsForPick() {
    return settings.options();
  }

  // How its first attempt begins.

  @Override
  boolean onBegin() {
    Binding binding = settings.bind();
    if (binding != Binding.KNOWN && hasEnded()) {
      return false; // refused by a selector, or cancelled while that was asked
    }
    if (mayBeAnsweredAlone() && alone.begin()) {
      return true;
    }
    retryState().beginFirst(countedFirst());
    if (binding.isKnown()) {
      onBound();
    }
    return true;
  }

  /** Whether nothing has to be known of the first attempt before it fails. */
  private boolean mayBeAnsweredAlone() {
    AttemptPolicy policy = settings.policy();
    return policy != null
        && !policy.needsTime()
        && method().type().clientSendsOneMessage()
        && firstAttempt().credentials() == null;
  }

  @Override
  Attempt<Q, R> current() {
    RetryState<Q, R> kept = alone.keptState();
    Attempt<Q, R> running = kept == null ? null : kept.current();
    return running == null ? firstAttempt() : running;
  }

  /** The state of its attempts, which is kept from now on. */
  private RetryState<Q, R> retryState() {
    return alone.retryState(this);
  }

  RetryState<Q, R> newState() {
    return new RetryState<>(channel().replayLimits(), scheduler(), this);
  }

  /** The first attempt, for a new state. */
  CountedAttempt<Q, R> countedFirst() {
    return new CountedAttempt<>(firstAttempt(), asStarted());
  }

  /** The headers of an attempt: those of the call, and the number of previous attempts. */
  @Override
  CallStart<Q, R> callStartOf(Attempt<Q, R> attempt) {
    CallStart<Q, R> start = settings.callStart();
    if (attempt.previousAttempts() == 0) {
      return start;
    }
    RetryState<Q, R> kept = alone.keptState();
    CountedAttempt<Q, R> counted = kept == null ? null : kept.find(attempt);
    return counted == null ? CountedAttempt.numbered(start, attempt) : counted.callStart();
  }

  @Override
  EarlierAttempts earlierThan(Attempt<Q, R> attempt) {
    return retryState().earlierThan(attempt);
  }

  @Override
  void onAuthorized(Attempt<Q, R> attempt, Metadata headers) {
    CountedAttempt<Q, R> counted = retryState().find(attempt);
    if (counted != null) {
      counted.onAuthorized(headers);
    }
  }

  @Override
  boolean bindToConfig() {
    return switch (settings.bind()) {
      case KNOWN, NO_CONFIG -> true;
      case BY_ANOTHER, REFUSED -> false;
      case DONE -> {
        watchDeadline();
        onBound();
        yield !hasEnded();
      }
    };
  }

  /** The settings of the call are known from now on: its first attempt has begun with them. */
  private void onBound() {
    AttemptPolicy policy = settings.policy();
    for (CountedAttempt<Q, R> first : retryState().running()) {
      if (policy == null) {
        commitTo(first);
      } else {
        retryState().watch(first, policy).forEach(this::set);
      }
    }
  }

  Scheduler scheduler() {
    return channel().settings().scheduler();
  }

  // What the caller sends.

  @Override
  void sendOut(Q message, boolean compressed) {
    feeder().sendMessage(message, compressed);
  }

  /** As long as the request is kept for further attempts, it is kept as one. */
  @Override
  void sendWhole(Q message, boolean compressed) {
    RetryState<Q, R> kept = alone.keptState();
    if (kept != null) {
      sendWholeBy(kept, message, compressed);
      return;
    }
    int sizeBytes = method().requestMarshaller().sizeBytes(message);
    markHalfClosed();
    if (alone.trySend(
        new FirstAttemptAlone.Sent<>(message, compressed, sizeBytes), channel().replayLimits())) {
      firstAttempt().sendMessage(message, compressed);
      firstAttempt().sendHalfClose();
      firstAttempt().sendFlush();
    } else {
      feeder().sendWhole(message, compressed);
    }
  }

  private void sendWholeBy(RetryState<Q, R> kept, Q message, boolean compressed) {
    CountedAttempt<Q, R> direct = kept.direct();
    if (direct != null) {
      direct.send(message, compressed);
      halfClose();
    } else {
      markHalfClosed();
      feeder().sendWhole(message, compressed);
    }
  }

  @Override
  void closeOut() {
    feeder().sendHalfClose();
  }

  private AttemptFeeder<Q, R> feeder() {
    AttemptFeeder<Q, R> made = feeder;
    if (made == null) {
      made = newFeeder();
      feeder = made;
    }
    return made;
  }

  private AttemptFeeder<Q, R> newFeeder() {
    return new AttemptFeeder<>(method(), retryState(), this);
  }

  @Override
  public void onOverflow(CountedAttempt<Q, R> farthest) {
    commitTo(farthest);
  }

  @Override
  public void onUnsendable(Status why) {
    cancelWith(why);
  }

  /**
   * Sends the attempt what it lacks of the request, for callers that cannot handle an exception.
   * The exception is dropped, because it has already ended the call.
   */
  private void sendRestQuietly(CountedAttempt<Q, R> attempt) {
    try {
      newFeeder().sendRest(attempt); // the caller's own is for its thread
    } catch (RuntimeException | Error e) {
      assert hasEnded() || !retryState().isRequestKept() : e;
    }
  }

  @Override
  boolean isStreamReady() {
    RetryState<Q, R> kept = alone.keptState();
    if (kept == null) {
      ClientStream<Q> stream = alone.isBegun() ? firstAttempt().stream() : null;
      return stream != null && stream.isReady();
    }
    for (CountedAttempt<Q, R> each : kept.running()) {
      if (each.isReady()) {
        return true;
      }
    }
    return false;
  }

  // Events of its attempts.

  @Override
  void onEvent(Attempt<Q, R> attempt, CallEvent event) {
    if (attempt == firstAttempt() && tryAcceptAlone(event)) {
      add(event);
      return;
    }
    CountedAttempt<Q, R> counted = retryState().find(attempt);
    if (counted != null && event.kind() != CallEvent.Kind.READY) {
      counted.unwatch(); // its response begins, or it ends
    }
    switch (event.kind()) {
      case CLOSED -> onClosed(counted, (CallEvent.Closed) event);
      case READY -> {
        if (counted != null) {
          add(event);
        }
      }
      case HEADERS, MESSAGE, HALF_CLOSED -> {
        if (counted != null && commitToAnswered(counted)) {
          add(event);
        }
      }
    }
  }

  /** Returns whether this is the call's event because its first attempt answers it alone. */
  private boolean tryAcceptAlone(CallEvent event) {
    FirstAttemptAlone.Acceptance accepted = alone.accept(event);
    if (accepted == FirstAttemptAlone.Acceptance.NOT_ALONE) {
      return false;
    }
    if (accepted == FirstAttemptAlone.Acceptance.COMMITTED && isMessageRequested()) {
      notifyRequested();
    }
    if (event instanceof CallEvent.Closed closed) {
      count(Objects.requireNonNull(settings.policy()), closed);
    }
    return true;
  }

  /**
   * Like {@link #commitTo}; also reports to a policy that learns how long the first attempt has
   * taken.
   */
  private boolean commitToAnswered(CountedAttempt<Q, R> attempt) {
    if (retryState().isCommitted()) {
      return commitTo(attempt);
    }
    List<CountedAttempt<Q, R>> all = retryState().running();
    if (!commitTo(attempt)) {
      return false;
    }
    AttemptPolicy policy = settings.policy();
    if (policy != null && policy.learns() && all.stream().anyMatch(CountedAttempt::isFirst)) {
      retryState().sinceFirstBegunNanos().ifPresent(policy::onAnswer);
    }
    return true;
  }

  private void onClosed(@Nullable CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    if (attempt == null) {
      if (retryState().endUnbegun()) {
        add(closed);
      }
      return;
    }
    AttemptPolicy policy = settings.policy();
    if (policy == null) {
      addEndOf(attempt, closed);
    } else if (retryState().isCommittedTo(attempt)
        || closed.status().isOk()
        || isLate()
        || channel().isClosing()) {
      if (!retryState().isCounted(attempt)) { // one that was late is counted
        count(policy, closed);
      }
      addEndOf(attempt, closed);
    } else if (!tryContinueWithout(attempt, closed, policy, AttemptPolicy.Cause.CLOSED)) {
      addEndOf(attempt, closed);
    }
  }

  private boolean isLate() {
    Optional<Deadline> deadline = deadline();
    return deadline.isPresent() && deadline.get().isExpired();
  }

  /**
   * Counts a failure that ends the call. Only its first end is counted: a stream has a second one
   * if the call is cancelled after its server has ended it.
   */
  private void count(AttemptPolicy policy, CallEvent.Closed closed) {
    if (!closed.status().isOk() && !hasEnded()) {
      policy.countFailure(AttemptPolicy.Failure.of(closed, AttemptPolicy.Cause.CLOSED));
    }
  }

  /** The end of the attempt ends the call, unless the call is committed to another attempt. */
  private void addEndOf(CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    if (closed.status().isOk() ? commitToAnswered(attempt) : commitTo(attempt)) {
      add(closed);
    }
  }

  /**
   * The attempt has failed, and the call goes on without it if it can: the attempt is dropped, and
   * others continue or follow. Returns false if the call ends with this failure instead.
   */
  private boolean tryContinueWithout(
      CountedAttempt<Q, R> attempt,
      CallEvent.Closed closed,
      AttemptPolicy policy,
      AttemptPolicy.Cause cause) {
    AttemptPolicy.Failure failure = AttemptPolicy.Failure.of(closed, cause);
    RetryState.Continuation continuation = retryState().fail(attempt, closed, policy, failure);
    Decision next = continuation.next();
    if (next == Verdict.COMMIT) {
      return false;
    }
    if (next == Verdict.IGNORE) {
      return true;
    }
    diagnosis().onAttemptFailed(attempt.current(), closed.status());
    if (next instanceof Begin(int previousAttempts)) {
      addAttempt(policy, previousAttempts);
      return true;
    }
    continuation.timer().ifPresent(this::set);
    if (retryState().isBackingOff()) {
      waitWithoutAttempt();
    }
    return true;
  }

  private void set(AttemptTimer timer) {
    try {
      timer.set(scheduler());
    } catch (RuntimeException | Error e) { // a loop that ends may throw an Error
      if (retryState().onNoTimer(timer) == Verdict.END) {
        endWithoutAttempt(retryState().lastFailure().orElseThrow());
      }
    }
  }

  @Override
  long inBackoffNanos() {
    RetryState<Q, R> kept = alone.keptState();
    return kept == null ? 0 : kept.inBackoffNanos();
  }

  /** No connection knows the call until its next attempt begins. */
  private void waitWithoutAttempt() {
    CallsWithoutStream waiting = channel().withoutStream();
    waiting.addBackingOff(this);
    // write-then-check with addAttempt and endWithoutAttempt: added first, then BACKING_OFF
    if (!retryState().isBackingOff()) {
      waiting.removeBackingOff(this);
    }
    watchDeadline();
  }

  @Override
  public void onNextAttempt(AttemptTimer fired) {
    AttemptPolicy policy = Objects.requireNonNull(settings.policy());
    Decision next = retryState().onTime(fired, policy);
    if (next instanceof Begin(int previousAttempts)) {
      addAttempt(policy, previousAttempts);
    } else if (next == Verdict.END) {
      endWithoutAttempt(retryState().lastFailure().orElseThrow());
    }
  }

  /** Makes another attempt, which begins if it is still needed. */
  private void addAttempt(AttemptPolicy policy, int previousAttempts) {
    Attempt<Q, R> made = firstAttempt().another(previousAttempts);
    CountedAttempt<Q, R> next = new CountedAttempt<>(made, settings.callStart());
    Joining joining = retryState().join(next, policy);
    channel().withoutStream().removeBackingOff(this);
    if (joining == Joining.NOT_NEEDED) {
      made.failBeforeStart(CountedAttempt.NOT_NEEDED);
      return;
    }
    count(policy);
    next.sendHeaders();
    if (joining == Joining.RUNS_LAST) {
      commitTo(next);
    }
    retryState().watch(next, policy).forEach(this::set);
    pickFor(made);
    sendRestQuietly(next);
  }

  private void count(AttemptPolicy policy) {
    switch (policy.kind()) {
      case RETRY -> channel().journal().onRetry();
      case HEDGE -> channel().journal().onHedge();
    }
  }

  @Override
  public void onReceiveTimeout(CountedAttempt<Q, R> attempt) {
    AttemptPolicy policy = settings.policy();
    if (policy == null || !attempt.timeOut()) {
      return;
    }
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "no part of a response arrived within the retry policy's perAttemptRecvTimeout");
    CallEvent.Closed closed = CallEvent.Closed.atOnce(late);
    boolean last =
        channel().isClosing()
            || !tryContinueWithout(attempt, closed, policy, AttemptPolicy.Cause.RECEIVE_TIMEOUT);
    if (!last || commitTo(attempt)) {
      attempt.end(late);
    }
  }

  /**
   * From now on the events of this attempt are those of the call. Returns false if the call is
   * committed to another attempt, or this one was dropped.
   */
  private boolean commitTo(CountedAttempt<Q, R> attempt) {
    return retryState().isCommittedTo(attempt)
        || tryChoose(attempt)
        || retryState().isCommittedTo(attempt); // another thread did
  }

  /** Commits the call to the attempt; returns false if it was committed or over before. */
  private boolean tryChoose(CountedAttempt<Q, R> attempt) {
    Optional<RetryState.Commitment<Q, R>> made = retryState().commit(attempt);
    if (made.isEmpty()) {
      return false;
    }
    made.get().others().forEach(it -> it.end(CountedAttempt.NOT_NEEDED));
    if (made.get().lacksRest()) {
      sendRestQuietly(attempt);
    }
    if (isMessageRequested()) {
      notifyRequested();
    }
    return true;
  }

  @Override
  boolean mayMove(Attempt<Q, R> attempt) {
    return !channel().isClosing() && retryState().find(attempt) != null;
  }

  @Override
  boolean mayRepeatRefused(Attempt<Q, R> attempt) {
    return retryState().mayRepeatRefused(); // several may run at the same time
  }

  @Override
  void move(Attempt<Q, R> left, Attempt<Q, R> next, Status why) {
    onMoved(left, why);
    if (retryState().replace(left, next)) {
      pickFor(next);
    } else {
      next.failBeforeStart(CountedAttempt.NOT_NEEDED);
    }
  }

  @Override
  void failForGood(Attempt<Q, R> attempt, Status why) {
    CountedAttempt<Q, R> counted = retryState().find(attempt);
    if (counted != null) {
      commitTo(counted);
    }
    attempt.failBeforeStart(why);
  }

  // Ends before an attempt ends.

  @Override
  void endMoved(Attempt<Q, R> attempt, Status status) {
    attempt.end(status);
  }

  @Override
  void endAttempts(Status status) {
    while (true) { // again if the attempt does not run any more
      Decision next = retryState().cancel();
      if (next == Verdict.IGNORE) {
        return; // the thread that ended it adds its end, perhaps later
      }
      if (next == Verdict.END) {
        try {
          firstAttempt().end(status); // if it has not begun, it never will
        } catch (RejectedExecutionException e) {
          // its loop has ended, and so has the attempt
        }
        endWithoutAttempt(CallEvent.Closed.atOnce(status));
        return;
      }
      List<CountedAttempt<Q, R>> all = retryState().running();
      if (!all.isEmpty() && commitTo(all.getLast())) {
        all.getLast().end(status);
        return;
      }
    }
  }

  /** The call is OVER. */
  private void endWithoutAttempt(CallEvent.Closed closed) {
    retryState().dropRequest();
    channel().withoutStream().removeBackingOff(this);
    addEndWithoutAttempt(closed);
    wake();
  }

  @Override
  void onDeadline() {
    while (true) { // again if the attempt does not run any more
      List<CountedAttempt<Q, R>> all = retryState().running();
      if (all.isEmpty()) {
        endAttempts(late(retryState().waitReason()));
        return;
      }
      if (commitTo(all.getLast())) {
        endLate();
        return;
      }
    }
  }
}
