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
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.Scheduler;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
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
 * it. Most calls are answered by their first attempt, and end without a RetryState: the {@link
 * Course} has what is known of them until then.
 */
public final class RetryingCall<Q, R> extends OutgoingCall<Q, R>
    implements AttemptFeeder.Listener<Q, R>, AttemptTimers.Listener<Q, R> {
  private static final AtomicReferenceFieldUpdater<RetryingCall<?, ?>, @Nullable Course<?, ?>>
      COURSE = updater();

  private final CallSettings<Q, R> settings;

  /** Null before the call begins. */
  private volatile @Nullable Course<Q, R> course;

  /** Null before the caller sends something that the course does not keep. The caller's. */
  private @Nullable AttemptFeeder<Q, R> feeder;

  private RetryingCall(
      CallOwner channel, MethodDescriptor<Q, R> method, CallOptions options, MethodSettings known) {
    super(channel, method, options);
    this.settings = new KnownSettings<>(this, known.config(), known.attempts().orElseThrow());
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
    if (mayBeAnsweredAlone() && COURSE.compareAndSet(this, null, Course.begun())) {
      return true;
    }
    keepState().beginFirst(new CountedAttempt<>(firstAttempt(), asStarted()));
    if (binding.isKnown()) {
      onBound();
    }
    return true;
  }

  /** Whether nothing has to be known of the first attempt before it fails. */
  private boolean mayBeAnsweredAlone() {
    AttemptPolicy by = settings.policy();
    return by != null
        && !by.needsTime()
        && method().type().clientSendsOneMessage()
        && firstAttempt().credentials() == null;
  }

  @Override
  Attempt<Q, R> current() {
    Attempt<Q, R> running =
        course instanceof RetryState<Q, R> known ? known.current() : firstAttempt();
    return running == null ? firstAttempt() : running;
  }

  /** The state of its attempts, which is kept from now on. */
  private RetryState<Q, R> keepState() {
    Course<Q, R> now = course;
    while (!(now instanceof RetryState<Q, R> known)) {
      RetryState<Q, R> made = stateAfter(now);
      if (COURSE.compareAndSet(this, now, made)) {
        return made;
      }
      now = course;
    }
    return known;
  }

  /** What the state would be if it had been kept from the start. */
  private RetryState<Q, R> stateAfter(@Nullable Course<Q, R> before) {
    RetryState<Q, R> made = new RetryState<>(channel().replayLimits(), scheduler(), this);
    if (before == null) {
      return made;
    }
    CountedAttempt<Q, R> first = new CountedAttempt<>(firstAttempt(), asStarted());
    made.beginFirst(first);
    if (before instanceof Course.Sent<Q, R> sent) {
      made.offer(sent.entry(), sent.sizeBytes()); // the caller's thread sends it
    } else if (before instanceof Course.Answered<Q, R>) {
      made.commit(first);
    }
    return made;
  }

  /** The headers of an attempt: those of the call, and the number of previous attempts. */
  @Override
  CallStart<Q, R> callStartOf(Attempt<Q, R> attempt) {
    CallStart<Q, R> start = settings.callStart();
    if (attempt.previousAttempts() == 0) {
      return start;
    }
    CountedAttempt<Q, R> counted =
        course instanceof RetryState<Q, R> known ? known.find(attempt) : null;
    return counted == null ? CountedAttempt.numbered(start, attempt) : counted.callStart();
  }

  @Override
  EarlierAttempts earlierThan(Attempt<Q, R> attempt) {
    return keepState().earlierThan(attempt);
  }

  @Override
  void onAuthorized(Attempt<Q, R> attempt, Metadata headers) {
    CountedAttempt<Q, R> counted = keepState().find(attempt);
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
    AttemptPolicy by = settings.policy();
    for (CountedAttempt<Q, R> first : keepState().running()) {
      if (by == null) {
        commitTo(first);
      } else {
        keepState().watch(first, by).forEach(this::set);
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
    if (course instanceof RetryState<Q, R> known) {
      sendWholeBy(known, message, compressed);
      return;
    }
    int sizeBytes = method().requestMarshaller().sizeBytes(message);
    Course.Sent<Q, R> request = new Course.Sent<>(message, compressed, sizeBytes);
    markHalfClosed();
    if (!trySendAlone(request)) {
      feeder().sendWhole(message, compressed);
    }
  }

  private void sendWholeBy(RetryState<Q, R> known, Q message, boolean compressed) {
    CountedAttempt<Q, R> direct = known.direct();
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

  /** Sends the request to the first attempt; returns false if others may need it, too. */
  private boolean trySendAlone(Course.Sent<Q, R> request) {
    Course<Q, R> now = course;
    boolean kept =
        now instanceof Course.Begun
            && channel().replayLimits().isFree(RequestBuffer.bytesOf(request.sizeBytes()))
            && COURSE.compareAndSet(this, now, request);
    if (!kept && !(course instanceof Course.Answered)) {
      return false;
    }
    firstAttempt().sendMessage(request.message(), request.compressed());
    firstAttempt().sendHalfClose();
    firstAttempt().sendFlush();
    return true;
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
    return new AttemptFeeder<>(method(), keepState(), this);
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
  private void sendRestQuietly(CountedAttempt<Q, R> to) {
    try {
      newFeeder().sendRest(to); // the caller's own is for its thread
    } catch (RuntimeException | Error e) {
      assert hasEnded() || !keepState().isRequestKept() : e;
    }
  }

  @Override
  boolean isStreamReady() {
    Course<Q, R> now = course;
    if (!(now instanceof RetryState<Q, R> known)) {
      ClientStream<Q> stream = now == null ? null : firstAttempt().stream();
      return stream != null && stream.isReady();
    }
    for (CountedAttempt<Q, R> each : known.running()) {
      if (each.isReady()) {
        return true;
      }
    }
    return false;
  }

  // Events of its attempts.

  @Override
  void onEvent(Attempt<Q, R> attempt, CallEvent event) {
    if (tryAccept(attempt, event)) {
      add(event);
      return;
    }
    CountedAttempt<Q, R> counted = keepState().find(attempt);
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

  /**
   * Accepts an event of the first attempt while that is alone, unless it has failed; all but
   * readiness commit the call to it. Returns false if it does not, and has changed nothing.
   */
  private boolean tryAccept(Attempt<Q, R> attempt, CallEvent event) {
    Course<Q, R> now = course;
    if (now == null || now instanceof RetryState || attempt != firstAttempt()) {
      return false;
    }
    if (event.kind() == CallEvent.Kind.READY) {
      return true;
    }
    Status end = event instanceof CallEvent.Closed closed ? closed.status() : Status.OK;
    if ((!end.isOk() && !(now instanceof Course.Answered)) || !tryAnswerAlone()) {
      return false;
    }
    if (event instanceof CallEvent.Closed closed) {
      count(Objects.requireNonNull(settings.policy()), closed);
    }
    return true;
  }

  /** Commits the call to its first attempt; returns false if that may not be alone any more. */
  private boolean tryAnswerAlone() {
    Course<Q, R> now = course;
    while (now instanceof Course.Begun || now instanceof Course.Sent) {
      if (COURSE.compareAndSet(this, now, Course.answered())) {
        if (isMessageRequested()) {
          notifyRequested();
        }
        return true;
      }
      now = course;
    }
    return now instanceof Course.Answered;
  }

  /**
   * Like {@link #commitTo}; also reports to a policy that learns how long the first attempt has
   * taken.
   */
  private boolean commitToAnswered(CountedAttempt<Q, R> attempt) {
    if (keepState().isCommitted()) {
      return commitTo(attempt);
    }
    List<CountedAttempt<Q, R>> all = keepState().running();
    if (!commitTo(attempt)) {
      return false;
    }
    AttemptPolicy by = settings.policy();
    if (by != null && by.learns() && all.stream().anyMatch(CountedAttempt::isFirst)) {
      keepState().sinceFirstBegunNanos().ifPresent(by::onAnswer);
    }
    return true;
  }

  private void onClosed(@Nullable CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    if (attempt == null) {
      if (keepState().endUnbegun()) {
        add(closed);
      }
      return;
    }
    AttemptPolicy by = settings.policy();
    if (by == null) {
      addEndOf(attempt, closed);
    } else if (keepState().isCommittedTo(attempt)
        || closed.status().isOk()
        || isLate()
        || channel().isClosing()) {
      if (closed.status().isOk()
          || !keepState().isCounted(attempt)) { // one that was late is counted
        count(by, closed);
      }
      addEndOf(attempt, closed);
    } else if (!tryContinueWithout(attempt, closed, by, AttemptPolicy.Cause.CLOSED)) {
      addEndOf(attempt, closed);
    }
  }

  private boolean isLate() {
    Optional<Deadline> deadline = deadline();
    return deadline.isPresent() && deadline.get().isExpired();
  }

  /**
   * Only the first end of a call is counted: a stream has a second one if the call is cancelled
   * after its server has ended it.
   */
  private void count(AttemptPolicy policy, CallEvent.Closed closed) {
    if (hasEnded()) {
      return;
    }
    if (closed.status().isOk()) {
      policy.onSuccess();
    } else {
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
    RetryState.Continuation continuation = keepState().fail(attempt, closed, policy, failure);
    Decision next = continuation.next();
    if (next == Verdict.COMMIT) {
      return false;
    }
    if (next == Verdict.IGNORE) {
      return true;
    }
    diagnosis().onAttemptFailed(closed.status());
    if (next instanceof Begin(int previousAttempts)) {
      addAttempt(policy, previousAttempts);
      return true;
    }
    continuation.timer().ifPresent(this::set);
    if (keepState().isBackingOff()) {
      waitWithoutAttempt();
    }
    return true;
  }

  private void set(AttemptTimer timer) {
    try {
      timer.set(scheduler());
    } catch (RuntimeException | Error e) { // a loop that ends may throw an Error
      if (keepState().onNoTimer(timer) == Verdict.END) {
        endWithoutAttempt(keepState().lastFailure().orElseThrow());
      }
    }
  }

  /** No connection knows the call until its next attempt begins. */
  private void waitWithoutAttempt() {
    CallsWithoutStream waiting = channel().withoutStream();
    waiting.addBackingOff(this);
    if (!keepState().isBackingOff()) {
      waiting.removeBackingOff(this); // the next attempt has begun meanwhile, and found nothing
    }
    watchDeadline();
  }

  @Override
  public void onNextAttempt(AttemptTimer fired) {
    AttemptPolicy by = Objects.requireNonNull(settings.policy());
    Decision next = keepState().onTime(fired, by);
    if (next instanceof Begin(int previousAttempts)) {
      addAttempt(by, previousAttempts);
    } else if (next == Verdict.END) {
      endWithoutAttempt(keepState().lastFailure().orElseThrow());
    }
  }

  /** Makes another attempt, which begins if it is still needed. */
  private void addAttempt(AttemptPolicy by, int previousAttempts) {
    Attempt<Q, R> made = firstAttempt().another(previousAttempts, keepState().isRefused());
    CountedAttempt<Q, R> next = new CountedAttempt<>(made, settings.callStart());
    Joining joining = keepState().join(next, by);
    channel().withoutStream().removeBackingOff(this);
    if (joining == Joining.NOT_NEEDED) {
      made.failBeforeStart(CountedAttempt.NOT_NEEDED);
      return;
    }
    count(by);
    next.sendHeaders();
    if (joining == Joining.RUNS_LAST) {
      commitTo(next);
    }
    keepState().watch(next, by).forEach(this::set);
    pickFor(made);
    sendRestQuietly(next);
  }

  private void count(AttemptPolicy by) {
    switch (by.kind()) {
      case RETRY -> channel().journal().onRetry();
      case HEDGE -> channel().journal().onHedge();
    }
  }

  @Override
  public void onReceiveTimeout(CountedAttempt<Q, R> attempt) {
    AttemptPolicy by = settings.policy();
    if (keepState().isCommitted() || by == null || !keepState().running().contains(attempt)) {
      return;
    }
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "no part of a response arrived within the retry policy's perAttemptRecvTimeout");
    CallEvent.Closed closed = CallEvent.Closed.atOnce(late);
    boolean last =
        channel().isClosing()
            || !tryContinueWithout(attempt, closed, by, AttemptPolicy.Cause.RECEIVE_TIMEOUT);
    if (!last || tryChoose(attempt)) { // not if its response has begun meanwhile
      attempt.end(late);
    }
  }

  /**
   * From now on the events of this attempt are those of the call. Returns false if the call is
   * committed to another attempt, or this one was dropped.
   */
  private boolean commitTo(CountedAttempt<Q, R> attempt) {
    return keepState().isCommittedTo(attempt)
        || tryChoose(attempt)
        || keepState().isCommittedTo(attempt); // another thread did
  }

  /** Commits the call to the attempt; returns false if it was committed or over before. */
  private boolean tryChoose(CountedAttempt<Q, R> attempt) {
    Optional<RetryState.Commitment<Q, R>> made = keepState().commit(attempt);
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
    return !channel().isClosing() && keepState().find(attempt) != null;
  }

  @Override
  void move(Attempt<Q, R> left, Attempt<Q, R> next, Status why) {
    onMoved(why);
    if (keepState().replace(left, next)) {
      pickFor(next);
    } else {
      next.failBeforeStart(CountedAttempt.NOT_NEEDED);
    }
  }

  @Override
  void failForGood(Attempt<Q, R> attempt, Status why) {
    CountedAttempt<Q, R> counted = keepState().find(attempt);
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
      Decision next = keepState().cancel();
      if (next == Verdict.IGNORE) {
        return; // the thread that ended it adds its end, perhaps later
      }
      if (next == Verdict.END) {
        firstAttempt().end(status); // if it has not begun, it never will
        endWithoutAttempt(CallEvent.Closed.atOnce(status));
        return;
      }
      List<CountedAttempt<Q, R>> all = keepState().running();
      if (!all.isEmpty() && commitTo(all.getLast())) {
        all.getLast().end(status);
        return;
      }
    }
  }

  /** The call is OVER. */
  private void endWithoutAttempt(CallEvent.Closed closed) {
    keepState().dropRequest();
    channel().withoutStream().removeBackingOff(this);
    addEndWithoutAttempt(closed);
    wake();
  }

  @Override
  void onDeadline() {
    while (true) { // again if the attempt does not run any more
      List<CountedAttempt<Q, R>> all = keepState().running();
      if (all.isEmpty()) {
        endAttempts(late(keepState().waitReason()));
        return;
      }
      if (commitTo(all.getLast())) {
        endLate();
        return;
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<RetryingCall<?, ?>, @Nullable Course<?, ?>> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(RetryingCall.class, Course.class, "course");
  }
}
