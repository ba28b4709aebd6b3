package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.Pushback;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A call that may have several attempts by the policy of its method (gRFC A6), one after the other
 * or in parallel; or a call whose policy is not known yet because its channel was never resolved.
 *
 * <pre>
 *   NEW ──begins──► TRYING ──an attempt is answered, or none may follow──► COMMITTED
 *    │               │ ▲ │                              (its events are the call's)
 *    │               │ │ └─one more attempt in parallel (hedging)─┐
 *    │               │ └──────────────────────────────────────────┘
 *    │               │ ▲
 *    │  the last one has failed, another follows later; its time has come
 *    │               ▼ │
 *    │           BACKING_OFF
 *    │               │ cancel, deadline, shutdown
 *    └──cancel───────┴──────────► OVER (ended without an attempt)
 * </pre>
 *
 * <p>The contract: until the call is COMMITTED, its listener is only notified of readiness, and
 * each message that the application sends is kept and passed to every running attempt, in order.
 * The call is COMMITTED to an attempt by response headers, by the end of that attempt if none may
 * follow, by a request that exceeds its limits, or by a cancellation. From then on nothing is kept,
 * the other attempts are cancelled and ignored, and messages take no lock. {@link AttemptPolicy}
 * decides what follows a failure, and {@link RequestReplay} sends the request to the attempts.
 * There is one deadline and one cancellation for all attempts.
 *
 * <p>The lock is held for short times, and never while messages are serialized or a stream is
 * called.
 */
public final class RetryingCall<Q, R> extends OutgoingCall<Q, R> {
  private static final Metadata.Key<String> PREVIOUS_ATTEMPTS =
      Metadata.Key.ascii("grpc-previous-rpc-attempts");
  private static final Status NOT_NEEDED =
      Status.CANCELLED.withDescription("another attempt of the call continues");

  private enum State {
    NEW,
    TRYING,
    BACKING_OFF,
    COMMITTED,
    OVER
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final RequestReplay<Q, R> request;

  /** The policy of its method when it was made; null if none was known yet. */
  private final @Nullable AttemptPolicy known;

  /** The settings that are used instead; null if the policy was known. */
  private final @Nullable LateSettings<Q, R> late;

  // Guarded by the lock.
  private State state = State.NEW;

  /** The number of attempts that have begun or are about to begin. */
  private int begun;

  /** The number of attempts that had begun when the server last sent a pushback. */
  private int begunAtPushback;

  /** The number of attempts that are about to begin. */
  private int beginning;

  private boolean stopped;
  private boolean refused;

  /** The newest timer that may fire; null if there is none. */
  private @Nullable AttemptTimer timer;

  /** When the first attempt began, for a policy that learns. */
  private long firstBegunNanos;

  private Optional<CallEvent.Closed> lastFailure = Optional.empty();

  // Written under the lock, read without it.

  private volatile List<CountedAttempt<Q, R>> underWay = List.of();
  private volatile @Nullable CountedAttempt<Q, R> committed;

  /**
   * A call with the policy of its method.
   *
   * @param known null if the channel has no config yet: then the one at the first pick is used
   */
  public RetryingCall(
      CallOwner channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      @Nullable AttemptPolicy known) {
    super(channel, method, options);
    this.known = known;
    this.late = known == null ? new LateSettings<>(this) : null;
    this.request = new RequestReplay<>(this, lock, channel.replayLimits());
  }

  // How it begins.

  @Override
  void onBegin() {
    boolean isBound;
    lock.lock();
    try {
      if (state == State.NEW) {
        state = State.TRYING;
        underWay = List.of(new CountedAttempt<>(firstAttempt(), asStarted()));
        begun = 1;
      }
      isBound = late == null || late.bind();
    } finally {
      lock.unlock();
    }
    if (isBound) {
      onBound();
    }
  }

  /** The headers of an attempt: those of the call, and the number of previous attempts. */
  @Override
  CallStart<Q, R> startOf(Attempt<Q, R> attempt) {
    CallStart<Q, R> start = boundStart();
    if (attempt.previousAttempts() == 0) {
      return start;
    }
    CountedAttempt<Q, R> counted = find(attempt);
    return counted == null ? numbered(start, attempt.previousAttempts()) : counted.start;
  }

  private CallStart<Q, R> numbered(CallStart<Q, R> start, int previousAttempts) {
    Metadata headers = start.headers().copy();
    headers.set(PREVIOUS_ATTEMPTS, Integer.toString(previousAttempts));
    return start.withHeaders(headers);
  }

  /** What the call starts with, by its service config if there is one. Binds the call to it. */
  private CallStart<Q, R> boundStart() {
    bind();
    return late == null ? asStarted() : late.start();
  }

  /** The policy for the attempts; null if there is none, or none is known. Binds the call to it. */
  private @Nullable AttemptPolicy policy() {
    bind();
    return late == null ? known : late.policy();
  }

  /** Binds the call to the service config, unless it is bound, has not begun, or there is none. */
  private void bind() {
    if (late == null || late.isBound()) {
      return;
    }
    boolean isBound;
    lock.lock();
    try {
      isBound = state != State.NEW && late.bind();
    } finally {
      lock.unlock();
    }
    if (isBound) {
      onBound();
    }
  }

  /** The settings of the call are known from now on: its first attempt has begun with them. */
  private void onBound() {
    if (late != null) {
      late.watchDeadline();
    }
    AttemptPolicy by = policy();
    for (CountedAttempt<Q, R> first : underWay) {
      if (by == null) {
        commit(first);
      } else {
        watch(first, by);
      }
    }
  }

  Scheduler scheduler() {
    return channel().settings().transport();
  }

  /** An attempt has begun: sets the timers for the next one, and for its response. */
  private void watch(CountedAttempt<Q, R> attempt, AttemptPolicy policy) {
    if (!policy.needsTime()) {
      return;
    }
    lock.lock();
    try {
      if (state != State.TRYING) {
        return;
      }
      OptionalLong receiving = policy.receiveTimeoutNanos();
      if (receiving.isPresent() && !isWatched(attempt, receiving.getAsLong())) {
        stopped = true;
      }
      if (policy.learns() && attempt.first.previousAttempts() == 0) {
        firstBegunNanos = scheduler().nanoTime();
      }
      if (policy.hedges() && !stopped && begun < policy.maxAttempts()) {
        stopped = !isTimerStarted(policy.hedgingDelayNanos().orElseThrow());
      }
    } finally {
      lock.unlock();
    }
  }

  // If no timer can be set, there are no more attempts than the running ones.

  /** Returns false if no timer can be set. With the lock. */
  private boolean isWatched(CountedAttempt<Q, R> attempt, long timeoutNanos) {
    try {
      attempt.watch(scheduler().schedule(() -> onReceiveTimeout(attempt), timeoutNanos));
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Returns false if no timer can be set. With the lock. */
  private boolean isTimerStarted(long delayNanos) {
    stopTimer();
    try {
      timer = AttemptTimer.start(this, delayNanos);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** With the lock. */
  private void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  // What the caller sends.

  @Override
  void sendOut(Q message, boolean compressed) {
    request.send(message, compressed);
  }

  @Override
  void closeOut() {
    request.end();
  }

  /** The attempts that are running. */
  List<CountedAttempt<Q, R>> underWay() {
    return underWay;
  }

  @Override
  boolean isStreamReady() {
    for (CountedAttempt<Q, R> each : underWay) {
      ClientStream<Q> stream = each.current.stream();
      if (stream != null && stream.isReady()) {
        return true;
      }
    }
    return false;
  }

  // Events of its attempts.

  @Override
  void onEvent(Attempt<Q, R> attempt, CallEvent event) {
    CountedAttempt<Q, R> counted = find(attempt);
    switch (event.kind()) {
      case CLOSED -> onClosed(counted, (CallEvent.Closed) event);
      case READY -> {
        if (counted != null) {
          add(event);
        }
      }
      case HEADERS, MESSAGE, HALF_CLOSED -> {
        if (counted != null && isAnsweredBy(counted)) {
          add(event);
        }
      }
    }
  }

  /** As {@link #commit}, and a policy that learns is told how long the first attempt has taken. */
  private boolean isAnsweredBy(CountedAttempt<Q, R> attempt) {
    if (committed != null) {
      return commit(attempt);
    }
    List<CountedAttempt<Q, R>> all = underWay;
    if (!commit(attempt)) {
      return false;
    }
    AttemptPolicy by = policy();
    if (by != null
        && by.learns()
        && all.stream().anyMatch(it -> it.first.previousAttempts() == 0)) {
      by.onAnswer(scheduler().nanoTime() - firstBegunNanos);
    }
    return true;
  }

  private @Nullable CountedAttempt<Q, R> find(Attempt<Q, R> attempt) {
    for (CountedAttempt<Q, R> each : underWay) {
      if (each.current == attempt) {
        return each;
      }
    }
    return null;
  }

  private void onClosed(@Nullable CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    if (attempt == null) {
      if (endUnbegun()) {
        add(closed);
      }
      return;
    }
    AttemptPolicy by = policy();
    if (by == null) {
      end(attempt, closed);
    } else if (attempt == committed
        || closed.status().isOk()
        || isLate()
        || channel().withoutStream().isClosed()) {
      count(by, closed);
      end(attempt, closed);
    } else {
      Pushback pushback = Pushback.of(closed.trailers());
      boolean passing = by.isPassing(closed.status().code());
      if (isLast(attempt, closed, by, passing, pushback)) {
        end(attempt, closed);
      }
    }
  }

  /** The call cannot begin, or has ended; returns whether this end is the first. */
  private boolean endUnbegun() {
    lock.lock();
    try {
      boolean unbegun = state == State.NEW;
      state = unbegun ? State.OVER : state;
      return unbegun;
    } finally {
      lock.unlock();
    }
  }

  private boolean isLate() {
    Optional<Deadline> deadline = boundStart().deadline();
    return deadline.isPresent() && deadline.get().isExpired();
  }

  private static void count(AttemptPolicy policy, CallEvent.Closed closed) {
    if (closed.status().isOk()) {
      policy.throttle().onSuccess();
    } else {
      policy.countFailure(closed.status().code(), Pushback.of(closed.trailers()));
    }
  }

  /** The end of the attempt is the call's, unless another one is. */
  private void end(CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    if (closed.status().isOk() ? isAnsweredBy(attempt) : commit(attempt)) {
      add(closed);
    }
  }

  /**
   * Whether the call ends with this failure; if not, the attempt is dropped, and others continue or
   * follow.
   */
  private boolean isLast(
      CountedAttempt<Q, R> attempt,
      CallEvent.Closed closed,
      AttemptPolicy policy,
      boolean passing,
      Pushback pushback) {
    AttemptPolicy.Next next;
    boolean backsOff;
    lock.lock();
    try {
      if (state != State.TRYING || !underWay.contains(attempt)) {
        return committed == attempt;
      }
      next = decide(policy, passing, pushback);
      if (endsCall(next)) {
        return true;
      }
      forget(attempt, closed);
      backsOff = state == State.BACKING_OFF;
    } finally {
      lock.unlock();
    }
    if (isAtOnce(next)) {
      beginNext();
    } else if (backsOff) {
      waitWithoutAttempt();
    }
    return false;
  }

  /** Prepares what follows the failure; returns whether that is nothing. With the lock. */
  private boolean endsCall(AttemptPolicy.Next next) {
    return switch (next) {
      case AttemptPolicy.Next.Finish() -> true;
      case AttemptPolicy.Next.NoMore() -> {
        stopped = true;
        stopTimer();
        yield underWay.size() == 1 && beginning == 0;
      }
      case AttemptPolicy.Next.Another(long delayNanos) -> {
        if (!isAtOnce(next)) {
          yield !isTimerStarted(delayNanos);
        }
        stopTimer();
        prepareNext();
        yield false;
      }
    };
  }

  private static boolean isAtOnce(AttemptPolicy.Next next) {
    return next instanceof AttemptPolicy.Next.Another(long delayNanos) && delayNanos <= 0;
  }

  /** No connection knows the call until its next attempt begins. */
  private void waitWithoutAttempt() {
    CallsWithoutStream waiting = channel().withoutStream();
    waiting.addBackingOff(this);
    if (!isIn(State.BACKING_OFF)) {
      waiting.removeBackingOff(this); // the next attempt has begun meanwhile, and found nothing
    }
    watchDeadline();
  }

  /** With the lock. */
  private AttemptPolicy.Next decide(AttemptPolicy policy, boolean passing, Pushback pushback) {
    int backoffs = begun - 1 - begunAtPushback;
    if (pushback instanceof Pushback.After) {
      begunAtPushback = begun;
    }
    return policy.afterFailure(
        new AttemptPolicy.Failure(passing, pushback, begun, backoffs), scheduler().random());
  }

  private boolean isIn(State expected) {
    lock.lock();
    try {
      return state == expected;
    } finally {
      lock.unlock();
    }
  }

  /** With the lock. */
  private void forget(CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    attempt.unwatch();
    request.leave(attempt);
    refused |= attempt.current.isRefusedBefore();
    lastFailure = Optional.of(closed);
    remember(closed.status());
    underWay = without(attempt);
    if (underWay.isEmpty()) {
      state = State.BACKING_OFF;
    }
  }

  private List<CountedAttempt<Q, R>> without(CountedAttempt<Q, R> attempt) {
    return underWay.stream().filter(it -> it != attempt).toList();
  }

  /** The time of the next attempt has come, if this timer is the newest. */
  void onTime(AttemptTimer fired) {
    Optional<CallEvent.Closed> end = Optional.empty();
    lock.lock();
    try {
      if (fired != timer || (state != State.TRYING && state != State.BACKING_OFF)) {
        return;
      }
      timer = null;
      if (isHedgeThrottled()) {
        stopped = true;
        if (state == State.TRYING) {
          return;
        }
        state = State.OVER;
        end = lastFailure;
      } else {
        prepareNext();
      }
    } finally {
      lock.unlock();
    }
    if (end.isPresent()) {
      endWithoutAttempt(end.get());
    } else {
      beginNext();
    }
  }

  private boolean isHedgeThrottled() {
    AttemptPolicy by = policy();
    return by != null && by.hedges() && !by.throttle().isOpen();
  }

  /** With the lock; {@link #beginNext} is what follows without it. */
  private void prepareNext() {
    begun++;
    beginning++;
  }

  private void beginNext() {
    AttemptPolicy by = Objects.requireNonNull(policy());
    CountedAttempt<Q, R> next = newAttempt(boundStart());
    boolean wanted = join(next);
    channel().withoutStream().removeBackingOff(this);
    if (!wanted) {
      next.first.failBeforeStart(NOT_NEEDED);
      return;
    }
    channel().journal().onAttempt(by);
    if (!method().type().clientSendsOneMessage()) {
      next.first.sendFlush();
    }
    if (isLastToBegin(by)) {
      commit(next);
    }
    watch(next, by);
    begin(next.first);
    request.sendQuietly(next);
  }

  private CountedAttempt<Q, R> newAttempt(CallStart<Q, R> start) {
    int number;
    boolean refusedBefore;
    lock.lock();
    try {
      number = begun - beginning;
      refusedBefore = refused;
    } finally {
      lock.unlock();
    }
    return new CountedAttempt<>(
        firstAttempt().another(number, refusedBefore), numbered(start, number));
  }

  /** The attempt has begun, unless the call is committed or over. */
  private boolean join(CountedAttempt<Q, R> next) {
    lock.lock();
    try {
      beginning--;
      if (state != State.TRYING && state != State.BACKING_OFF) {
        return false;
      }
      state = State.TRYING;
      List<CountedAttempt<Q, R>> all = new ArrayList<>(underWay);
      all.add(next);
      underWay = List.copyOf(all);
      setCurrent(next.first);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether no other attempt can follow or run in parallel, so that nothing has to be kept for one.
   */
  private boolean isLastToBegin(AttemptPolicy policy) {
    lock.lock();
    try {
      return request.isOverflowed()
          || (begun >= policy.maxAttempts()
              && !policy.hedges()
              && policy.receiveTimeoutNanos().isEmpty());
    } finally {
      lock.unlock();
    }
  }

  private void onReceiveTimeout(CountedAttempt<Q, R> attempt) {
    AttemptPolicy by = policy();
    if (committed != null || by == null || !underWay.contains(attempt)) {
      return;
    }
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "no part of a response arrived within the retry policy's perAttemptRecvTimeout");
    CallEvent.Closed closed = CallEvent.Closed.atOnce(late);
    boolean last =
        channel().withoutStream().isClosed()
            || isLast(attempt, closed, by, true, new Pushback.None());
    if (!last || commit(attempt)) {
      attempt.current.end(late);
    }
  }

  /**
   * Its events are the call's from now on; returns false if those of another attempt are, or if it
   * was dropped.
   */
  boolean commit(CountedAttempt<Q, R> attempt) {
    if (committed == attempt) {
      return true;
    }
    List<CountedAttempt<Q, R>> others;
    boolean lacksPart;
    lock.lock();
    try {
      if (state != State.TRYING || !underWay.contains(attempt)) {
        return committed == attempt;
      }
      state = State.COMMITTED;
      stopTimer();
      underWay.forEach(CountedAttempt::unwatch);
      others = List.of();
      if (underWay.size() > 1) {
        others = without(attempt);
        others.forEach(request::leave);
        underWay = List.of(attempt);
      }
      lacksPart = request.commit(attempt);
      setCurrent(attempt.current);
      committed = attempt;
    } finally {
      lock.unlock();
    }
    others.forEach(it -> it.current.end(NOT_NEEDED));
    if (lacksPart) {
      request.sendQuietly(attempt);
    }
    if (isMessageRequested()) {
      tellRequested();
    }
    return true;
  }

  @Override
  boolean isRetryPossible(Attempt<Q, R> attempt) {
    return !channel().withoutStream().isClosed() && find(attempt) != null;
  }

  @Override
  void retry(Attempt<Q, R> left, Attempt<Q, R> next, Status why) {
    onRetry(why);
    boolean goesOn;
    lock.lock();
    try {
      CountedAttempt<Q, R> counted = find(left);
      goesOn = counted != null;
      if (counted != null) {
        counted.current = next;
        setCurrent(current() == left ? next : current());
      }
    } finally {
      lock.unlock();
    }
    if (goesOn) {
      begin(next);
    } else {
      next.failBeforeStart(NOT_NEEDED);
    }
  }

  @Override
  void drop(Attempt<Q, R> attempt, Status why) {
    CountedAttempt<Q, R> counted = find(attempt);
    if (counted != null) {
      commit(counted);
    }
    attempt.failBeforeStart(why);
  }

  // Ends before an attempt ends.

  @Override
  void endAttempt(Attempt<Q, R> attempt, Status status) {
    attempt.end(status);
  }

  @Override
  void endAttempts(Status status) {
    while (!hasEnded() || committed != null) {
      List<CountedAttempt<Q, R>> all = underWay;
      if (!all.isEmpty()) {
        CountedAttempt<Q, R> newest = all.getLast();
        if (commit(newest)) {
          newest.current.end(status);
          return;
        }
      } else if (endBetween()) {
        firstAttempt().end(status); // if it has not begun, it never will
        endWithoutAttempt(CallEvent.Closed.atOnce(status));
        return;
      } else if (isIn(State.OVER)) {
        return; // the thread that ended it adds its end, perhaps later
      }
    }
  }

  /** Ends the call if no attempt is running. */
  private boolean endBetween() {
    lock.lock();
    try {
      boolean between = state == State.NEW || state == State.BACKING_OFF;
      if (between) {
        state = State.OVER;
        stopTimer();
      }
      return between;
    } finally {
      lock.unlock();
    }
  }

  /** The call is OVER. */
  private void endWithoutAttempt(CallEvent.Closed closed) {
    lock.lock();
    try {
      request.drop();
    } finally {
      lock.unlock();
    }
    channel().withoutStream().removeBackingOff(this);
    add(closed);
    wake();
  }

  @Override
  void onDeadline() {
    List<CountedAttempt<Q, R>> all = underWay;
    if (all.isEmpty()) {
      String last = lastFailure.map(it -> "; the last has failed: " + it.status()).orElse("");
      endAttempts(late("waiting for the next attempt after " + begun + last));
      return;
    }
    commit(all.getLast());
    endLate();
  }

  @Override
  void stopDeadline() {
    super.stopDeadline();
    if (late != null) {
      late.stopDeadline();
    }
  }
}
