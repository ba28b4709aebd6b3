package dev.gannet.client;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.Scheduler;
import java.util.ArrayList;
import java.util.List;
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
 * decides what follows a failure. There is one deadline and one cancellation for all attempts.
 *
 * <p>The lock is held for short times, and never while messages are serialized or a stream is
 * called.
 */
final class RetryingCall<Q, R> extends OutgoingCall<Q, R> {
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

  /** The settings of the service config for the call. */
  private record Bound<Q, R>(Optional<AttemptPolicy> policy, CallStart<Q, R> start) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final RequestBuffer<Q> request;
  private final Optional<ActiveConfig> config;
  private final long createdNanos;

  // Guarded by the lock.
  private State state = State.NEW;

  /** The number of attempts that have begun or are about to begin. */
  private int begun;

  /** The number of attempts that are about to begin. */
  private int beginning;

  private boolean overflowed;
  private boolean stopped;
  private boolean refused;
  private Scheduler.@Nullable Cancellable timer;

  /** When the first attempt began, for a policy that learns. */
  private long firstBegunNanos;

  /** The number of the newest timer: older ones may fire although they were cancelled. */
  private int timerNumber;

  private Optional<CallEvent.Closed> lastFailure = Optional.empty();

  // Written under the lock, read without it.
  private volatile Optional<Bound<Q, R>> bound = Optional.empty();
  private volatile List<CountedAttempt<Q, R>> underWay = List.of();
  private volatile @Nullable CountedAttempt<Q, R> committed;
  private volatile @Nullable DeadlineTimer lateTimer;

  /** Written by the caller, before it sends what is left. */
  private volatile boolean halfClosed;

  /** Whether the committed attempt has the whole request so far, and gets the rest directly. */
  private volatile boolean direct;

  /**
   * A call with this config.
   *
   * @param config empty if the channel has none yet: then the config at the first pick is used
   */
  RetryingCall(
      ChannelCore core,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Optional<ActiveConfig> config) {
    super(core, method, options);
    this.config = config;
    this.request = new RequestBuffer<>(core.replayLimits());
    this.createdNanos = core.settings().transport().nanoTime();
  }

  // How it begins.

  @Override
  void onBegin() {
    Optional<Bound<Q, R>> known;
    lock.lock();
    try {
      if (state == State.NEW) {
        state = State.TRYING;
        underWay = List.of(new CountedAttempt<>(firstAttempt(), asStarted()));
        begun = 1;
      }
      known = bindIfKnown();
    } finally {
      lock.unlock();
    }
    if (known.isPresent()) {
      onBound(known.get());
    }
  }

  /** The headers of an attempt: those of the call, and the number of previous attempts. */
  @Override
  CallStart<Q, R> startOf(Attempt<Q, R> attempt) {
    Optional<Bound<Q, R>> by = bind();
    CallStart<Q, R> start = by.isPresent() ? by.get().start() : asStarted();
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

  /** Binds the call to the service config; empty while there is none. */
  private Optional<Bound<Q, R>> bind() {
    Optional<Bound<Q, R>> known = bound;
    if (known.isPresent()) {
      return known;
    }
    lock.lock();
    try {
      known = bindIfKnown();
    } finally {
      lock.unlock();
    }
    if (known.isPresent()) {
      onBound(known.get());
    }
    return bound;
  }

  /** Returns the settings if the call is bound to them now. With the lock. */
  private Optional<Bound<Q, R>> bindIfKnown() {
    Optional<ActiveConfig> by = config.isPresent() ? config : core().config();
    if (bound.isPresent() || by.isEmpty() || state == State.NEW) {
      return Optional.empty();
    }
    Optional<Bound<Q, R>> now = Optional.of(boundTo(by.get()));
    bound = now;
    return now;
  }

  private Bound<Q, R> boundTo(ActiveConfig by) {
    String name = method().fullMethodName();
    CallStart<Q, R> start = asStarted();
    if (config.isEmpty()) {
      long sinceStartNanos = scheduler().nanoTime() - createdNanos;
      start = CallStarts.by(by.of(name), start, scheduler(), sinceStartNanos);
    }
    return new Bound<>(by.attemptPolicy(name, scheduler().random()), start);
  }

  private void onBound(Bound<Q, R> by) {
    Optional<Deadline> deadline = by.start().deadline();
    if (config.isEmpty() && deadline.isPresent()) {
      DeadlineTimer late = new DeadlineTimer(scheduler(), deadline.get(), this::onDeadline);
      lateTimer = late;
      late.startOrPass();
    }
    for (CountedAttempt<Q, R> first : underWay) {
      if (by.policy().isEmpty()) {
        commit(first);
      } else {
        watch(first, by.policy().get());
      }
    }
  }

  private Scheduler scheduler() {
    return core().settings().transport();
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
      if (receiving.isPresent()) {
        attempt.watch(scheduler().schedule(() -> onReceiveTimeout(attempt), receiving.getAsLong()));
      }
      if (policy.learns() && attempt.first.previousAttempts() == 0) {
        firstBegunNanos = scheduler().nanoTime();
      }
      OptionalLong hedging = policy.hedgingDelayNanos();
      if (hedging.isPresent() && !stopped && begun < policy.maxAttempts()) {
        startTimer(hedging.getAsLong());
      }
    } catch (RuntimeException e) {
      stopped = true; // no timer can be set: there are no more attempts than the running ones
    } finally {
      lock.unlock();
    }
  }

  /** With the lock. */
  private void startTimer(long delayNanos) {
    stopTimer();
    int number = timerNumber;
    timer = scheduler().schedule(() -> onTime(number), delayNanos);
  }

  /** With the lock. */
  private void stopTimer() {
    timerNumber++;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  // What the caller sends.

  @Override
  void sendOut(Q message, boolean compressed) {
    CountedAttempt<Q, R> to = committed;
    if (to != null && direct) {
      to.send(message, compressed);
      return;
    }
    int sizeBytes = method().requestMarshaller().sizeBytes(message);
    Optional<CountedAttempt<Q, R>> chosen = Optional.empty();
    CountedAttempt<Q, R> only = null;
    lock.lock();
    try {
      if (direct) { // since a moment ago: what is kept is no longer needed
        only = committed;
      } else if (!request.add(new RequestBuffer.Entry<>(message, sizeBytes, compressed))) {
        overflowed = true;
        chosen = underWay.stream().reduce((a, b) -> b.sentMessages > a.sentMessages ? b : a);
      }
    } finally {
      lock.unlock();
    }
    if (only != null) {
      only.send(message, compressed);
      return;
    }
    chosen.ifPresent(this::commit);
    if (!method().type().clientSendsOneMessage()) {
      sendToAll();
    }
  }

  @Override
  void closeOut() {
    CountedAttempt<Q, R> to = committed;
    if (to != null && direct) {
      to.halfClose();
      return;
    }
    halfClosed = true;
    sendToAll();
  }

  private void sendToAll() {
    for (CountedAttempt<Q, R> each : underWay) {
      send(each);
    }
  }

  /** Sends the attempt what it has not got of the request, unless another thread is doing so. */
  private void send(CountedAttempt<Q, R> to) {
    try {
      boolean more = sendNext(to, false);
      while (more) {
        more = sendNext(to, true);
      }
    } catch (StatusException e) {
      stopSending(to);
      cancelWith(e.status());
    } catch (Throwable e) {
      stopSending(to);
      cancelWith(Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
  }

  /** Like {@link #send}, where nobody can handle an exception: it has ended the call. */
  private void sendQuietly(CountedAttempt<Q, R> to) {
    try {
      send(to);
    } catch (RuntimeException | Error e) {
      assert hasEnded() || committed != null : e;
    }
  }

  private void stopSending(CountedAttempt<Q, R> to) {
    lock.lock();
    try {
      to.isSending = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends the attempt the next message, if there is one, and the half-close behind the last one;
   * returns whether more may follow, which this thread has to send.
   *
   * @param continued whether this thread has sent the attempt the message before
   */
  private boolean sendNext(CountedAttempt<Q, R> to, boolean continued) {
    RequestBuffer.Entry<Q> next = null;
    boolean closes;
    boolean more;
    lock.lock();
    try {
      if (to.isSending && !continued) {
        return false; // another thread does it
      }
      if (isSendable() && underWay.contains(to)) {
        next = request.get(to.sentMessages);
      }
      if (next != null) {
        to.sentMessages++;
        request.forget(to.sentMessages);
      }
      closes = halfClosed && underWay.contains(to) && lacksTheEndAlone(to);
      to.isHalfClosed |= closes;
      more = next != null && !closes; // behind the half-close there is nothing to send
      to.isSending = more;
      if (!more) {
        direct = committed == to && request.isEmpty();
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      to.send(next.message(), next.isCompressed());
    }
    if (closes) {
      to.halfClose();
    }
    return more;
  }

  /** The single message of a call is written at once, together with the half-close. */
  private boolean isSendable() {
    return halfClosed || !method().type().clientSendsOneMessage();
  }

  /** Whether the attempt got all messages, but no half-close. With the lock. */
  private boolean lacksTheEndAlone(CountedAttempt<Q, R> to) {
    return !to.isHalfClosed && request.get(to.sentMessages) == null;
  }

  @Override
  public boolean isReady() {
    if (committed != null) {
      return super.isReady();
    }
    for (CountedAttempt<Q, R> each : underWay) {
      ClientStream<Q> stream = each.current.stream();
      if (stream != null && stream.isReady()) {
        return true;
      }
    }
    return isEndHeld();
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
    Optional<AttemptPolicy> policy = bind().flatMap(Bound::policy).filter(AttemptPolicy::learns);
    if (policy.isPresent() && all.stream().anyMatch(it -> it.first.previousAttempts() == 0)) {
      policy.get().onAnswer(scheduler().nanoTime() - firstBegunNanos);
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
    Optional<AttemptPolicy> policy = bind().flatMap(Bound::policy);
    boolean ends = attempt == committed || policy.isEmpty() || closed.status().isOk() || isLate();
    if (ends || core().isClosed()) {
      if (policy.isPresent()) {
        count(policy.get(), closed);
      }
      end(attempt, closed);
    } else {
      Pushback pushback = Pushback.of(closed.trailers());
      boolean passing = policy.get().isPassing(closed.status().code());
      if (isLast(attempt, closed, policy.get(), passing, pushback)) {
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
    Optional<Deadline> deadline = bind().flatMap(it -> it.start().deadline());
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
    boolean now = false;
    boolean backsOff;
    lock.lock();
    try {
      if (state != State.TRYING || !underWay.contains(attempt)) {
        return committed == attempt;
      }
      switch (policy.afterFailure(passing, pushback, begun)) {
        case AttemptPolicy.Next.Finish() -> {
          return true;
        }
        case AttemptPolicy.Next.NoMore() -> {
          stopped = true;
          stopTimer();
          if (underWay.size() == 1 && beginning == 0) {
            return true;
          }
        }
        case AttemptPolicy.Next.Another(long delayNanos) -> now = isPreparedFor(delayNanos);
      }
      forget(attempt, closed);
      backsOff = state == State.BACKING_OFF && !now;
    } catch (RuntimeException e) {
      return true; // no timer can be set
    } finally {
      lock.unlock();
    }
    if (now) {
      beginNext();
    } else if (backsOff) {
      core().addBackingOff(this);
      if (!isIn(State.BACKING_OFF)) {
        core().removeBackingOff(this); // the next attempt has begun meanwhile, and found nothing
      }
      watchDeadline();
    }
    return false;
  }

  private boolean isIn(State expected) {
    lock.lock();
    try {
      return state == expected;
    } finally {
      lock.unlock();
    }
  }

  /** Prepares the next attempt; returns whether it begins at once. With the lock. */
  private boolean isPreparedFor(long delayNanos) {
    if (delayNanos > 0) {
      startTimer(delayNanos);
      return false;
    }
    stopTimer();
    prepareNext();
    return true;
  }

  /** With the lock. */
  private void forget(CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    attempt.unwatch();
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

  /** The time of the next attempt has come, if the timer is the newest. */
  private void onTime(int number) {
    Optional<CallEvent.Closed> end = Optional.empty();
    lock.lock();
    try {
      if (number != timerNumber || (state != State.TRYING && state != State.BACKING_OFF)) {
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
    Optional<AttemptPolicy> policy = bound.flatMap(Bound::policy);
    return policy.isPresent()
        && policy.get().hedgingDelayNanos().isPresent()
        && !policy.get().throttle().isOpen();
  }

  /** With the lock; {@link #beginNext} is what follows without it. */
  private void prepareNext() {
    begun++;
    beginning++;
  }

  private void beginNext() {
    Bound<Q, R> by = bind().orElseThrow();
    CountedAttempt<Q, R> next = newAttempt(by.start());
    boolean wanted = join(next);
    core().removeBackingOff(this);
    if (!wanted) {
      next.first.failBeforeStart(NOT_NEEDED);
      return;
    }
    core().journal().onAttempt(by.policy().orElseThrow());
    if (!method().type().clientSendsOneMessage()) {
      next.first.sendFlush();
    }
    if (isLastToBegin(by.policy().orElseThrow())) {
      commit(next);
    }
    watch(next, by.policy().orElseThrow());
    begin(next.first);
    sendQuietly(next);
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
      return overflowed
          || (begun >= policy.maxAttempts()
              && policy.hedgingDelayNanos().isEmpty()
              && policy.receiveTimeoutNanos().isEmpty());
    } finally {
      lock.unlock();
    }
  }

  private void onReceiveTimeout(CountedAttempt<Q, R> attempt) {
    Optional<AttemptPolicy> policy = bind().flatMap(Bound::policy);
    if (committed != null || policy.isEmpty() || !underWay.contains(attempt)) {
      return;
    }
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "no response has begun within the retry policy's perAttemptRecvTimeout");
    CallEvent.Closed closed = CallEvent.Closed.atOnce(late);
    boolean last =
        core().isClosed() || isLast(attempt, closed, policy.get(), true, new Pushback.None());
    if (!last || commit(attempt)) {
      attempt.current.end(late);
    }
  }

  /**
   * Its events are the call's from now on; returns false if those of another attempt are, or if it
   * was dropped.
   */
  private boolean commit(CountedAttempt<Q, R> attempt) {
    if (committed == attempt) {
      return true;
    }
    List<CountedAttempt<Q, R>> others;
    boolean lacksSome;
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
        underWay = List.of(attempt);
      }
      request.commit(attempt.sentMessages);
      setCurrent(attempt.current);
      committed = attempt;
      lacksSome = !attempt.isHalfClosed; // behind the half-close there is nothing to send
    } finally {
      lock.unlock();
    }
    others.forEach(it -> it.current.end(NOT_NEEDED));
    if (lacksSome) {
      sendQuietly(attempt);
    }
    if (isMessageRequested()) {
      tellRequested();
    }
    return true;
  }

  @Override
  boolean isRetryPossible(Attempt<Q, R> attempt) {
    return super.isRetryPossible(attempt) && find(attempt) != null;
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
    super.drop(attempt, why);
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
      request.commit(Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
    core().removeBackingOff(this);
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
    super.onDeadline();
  }

  @Override
  void stopDeadline() {
    super.stopDeadline();
    DeadlineTimer late = lateTimer;
    if (late != null) {
      late.stop();
    }
  }
}
