package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.CallAttempts.BackOff;
import dev.gannet.client.retry.CallAttempts.Begin;
import dev.gannet.client.retry.CallAttempts.Decision;
import dev.gannet.client.retry.CallAttempts.Joining;
import dev.gannet.client.retry.CallAttempts.State;
import dev.gannet.client.retry.CallAttempts.Verdict;
import dev.gannet.client.retry.Pushback;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.retry.RequestBuffer.Entry;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.Scheduler;
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
 * <p>Two objects decide, and do nothing themselves: {@link CallAttempts} says which attempts there
 * are, by the {@link AttemptPolicy}, and to which one the call is committed; {@link RequestBuffer}
 * keeps the request, and says which part of it an attempt gets next. This class is their driver: it
 * tells them what happens, starts the attempts and the timers, sends the request to the attempts,
 * and passes the events of one of them on.
 *
 * <p>The contract: until the call is committed, its listener is only notified of readiness, and
 * each message that the application sends is kept and passed to every running attempt, in order.
 * The call is committed to an attempt by response headers, by the end of that attempt if none may
 * follow, by a request that exceeds its limits, or by a cancellation. From then on nothing is kept,
 * the other attempts are cancelled and ignored, and messages take no lock. There is one deadline
 * and one cancellation for all attempts. If a message cannot be sent, the call is cancelled.
 *
 * <p>The lock guards both objects. It is held for short times, and never while messages are
 * serialized or a stream is called.
 */
public final class RetryingCall<Q, R> extends OutgoingCall<Q, R> {
  private static final Metadata.Key<String> PREVIOUS_ATTEMPTS =
      Metadata.Key.ascii("grpc-previous-rpc-attempts");
  private static final Status NOT_NEEDED =
      Status.CANCELLED.withDescription("another attempt of the call continues");

  private final ReentrantLock lock = new ReentrantLock();

  /** The policy of its method when it was made; null if none was known yet. */
  private final @Nullable AttemptPolicy known;

  /** The settings that are used instead; null if the policy was known. */
  private final @Nullable LateSettings<Q, R> late;

  /** The single message of a call, which waits for the half-close. The caller's. */
  private @Nullable Entry<Q> single;

  // Guarded by the lock.

  private final CallAttempts<CountedAttempt<Q, R>> attempts = new CallAttempts<>();
  private final RequestBuffer<Q> request;

  /** The newest timer that may fire; null if there is none. */
  private @Nullable AttemptTimer timer;

  /** When the first attempt began, for a policy that learns. */
  private long firstBegunNanos;

  private Optional<CallEvent.Closed> lastFailure = Optional.empty();

  /** Whether a server has refused an attempt. Written under the lock, read without it. */
  private volatile boolean refused;

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
    this.request = new RequestBuffer<>(channel.replayLimits());
  }

  // How it begins.

  @Override
  void onBegin() {
    CountedAttempt<Q, R> first = new CountedAttempt<>(firstAttempt(), asStarted());
    boolean isBound;
    lock.lock();
    try {
      if (late != null) {
        late.onStart();
      }
      attempts.begin(first);
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

  @Override
  Optional<Deadline> deadline() {
    return late == null ? super.deadline() : late.start().deadline();
  }

  @Override
  void onConfig() {
    bind();
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
      isBound = attempts.state() != State.NEW && late.bind();
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
    for (CountedAttempt<Q, R> first : attempts.running()) {
      if (by == null) {
        commit(first);
      } else {
        watch(first, by);
      }
    }
  }

  Scheduler scheduler() {
    return channel().settings().scheduler();
  }

  /** An attempt has begun: sets the timers for the next one, and for its response. */
  private void watch(CountedAttempt<Q, R> attempt, AttemptPolicy policy) {
    if (!policy.needsTime()) {
      return;
    }
    lock.lock();
    try {
      if (attempts.state() != State.TRYING) {
        return;
      }
      OptionalLong receiving = policy.receiveTimeoutNanos();
      if (receiving.isPresent() && !isWatched(attempt, receiving.getAsLong())) {
        attempts.stop();
      }
      if (policy.learns() && attempt.first.previousAttempts() == 0) {
        firstBegunNanos = scheduler().nanoTime();
      }
      if (attempts.hedges(policy) && !isTimerStarted(policy.hedgingDelayNanos().orElseThrow())) {
        attempts.stop();
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
    CountedAttempt<Q, R> to = direct();
    if (to != null) {
      to.send(message, compressed);
    } else if (method().type().clientSendsOneMessage()) {
      single = Entry.message(message, compressed);
    } else {
      offer(Entry.message(message, compressed));
    }
  }

  @Override
  void closeOut() {
    Entry<Q> waiting = single;
    CountedAttempt<Q, R> to = direct();
    if (waiting != null) {
      single = null;
      offer(waiting.andEnd());
    } else if (to != null) {
      to.halfClose();
    } else {
      offer(Entry.end());
    }
  }

  private @Nullable CountedAttempt<Q, R> direct() {
    return request.state() == RequestBuffer.State.DIRECT ? attempts.committed() : null;
  }

  private void offer(Entry<Q> entry) {
    Q message = entry.message();
    int sizeBytes = message == null ? 0 : method().requestMarshaller().sizeBytes(message);
    CountedAttempt<Q, R> only = null;
    CountedAttempt<Q, R> chosen = null;
    Entry<Q> next = null;
    lock.lock();
    try {
      List<CountedAttempt<Q, R>> all = attempts.running();
      if (request.state() == RequestBuffer.State.OVER) {
        return;
      }
      if (request.state() == RequestBuffer.State.DIRECT) { // since a moment ago
        only = attempts.committed();
        next = entry;
      } else if (!request.add(entry, sizeBytes)) {
        attempts.onOverflow();
        chosen = farthest(all);
      } else if (all.size() == 1) {
        only = all.getFirst();
        next = request.begin(only.reader);
      }
    } finally {
      lock.unlock();
    }
    if (chosen != null) {
      commit(chosen);
    }
    if (only == null) {
      attempts.running().forEach(this::sendTo);
    } else {
      sendFrom(only, next);
    }
  }

  /** The attempt that has got most of the request; null if none runs. */
  private static <Q, R> @Nullable CountedAttempt<Q, R> farthest(List<CountedAttempt<Q, R>> all) {
    return all.stream()
        .reduce((a, b) -> b.reader.gotCount() > a.reader.gotCount() ? b : a)
        .orElse(null);
  }

  /** Sends the attempt what it has not got of the request, unless another thread is doing so. */
  private void sendTo(CountedAttempt<Q, R> to) {
    Entry<Q> next;
    lock.lock();
    try {
      next = request.begin(to.reader);
    } finally {
      lock.unlock();
    }
    sendFrom(to, next);
  }

  /**
   * Like {@link #sendTo}, for callers that cannot handle an exception. The exception is dropped,
   * because it has already ended the call.
   */
  private void sendQuietly(CountedAttempt<Q, R> to) {
    try {
      sendTo(to);
    } catch (RuntimeException | Error e) {
      assert hasEnded() || request.state() != RequestBuffer.State.KEPT : e;
    }
  }

  private void sendFrom(CountedAttempt<Q, R> to, @Nullable Entry<Q> first) {
    try {
      for (Entry<Q> next = first; next != null; next = next.ends() ? null : nextFor(to)) {
        to.send(next);
      }
    } catch (StatusException e) {
      leaveOut(to);
      cancelWith(e.status());
    } catch (Throwable e) {
      leaveOut(to);
      cancelWith(Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
  }

  private @Nullable Entry<Q> nextFor(CountedAttempt<Q, R> to) {
    lock.lock();
    try {
      return request.next(to.reader);
    } finally {
      lock.unlock();
    }
  }

  private void leaveOut(CountedAttempt<Q, R> to) {
    lock.lock();
    try {
      request.complete(to.reader);
    } finally {
      lock.unlock();
    }
  }

  @Override
  boolean isStreamReady() {
    for (CountedAttempt<Q, R> each : attempts.running()) {
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
    if (attempts.committed() != null) {
      return commit(attempt);
    }
    List<CountedAttempt<Q, R>> all = attempts.running();
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
    for (CountedAttempt<Q, R> each : attempts.running()) {
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
    } else if (attempt == attempts.committed()
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
      boolean first = attempts.endUnbegun();
      if (first) {
        request.drop(); // what is sent from now on is not kept
      }
      return first;
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
    Decision next;
    boolean backsOff;
    lock.lock();
    try {
      next = attempts.fail(attempt, policy, passing, pushback, scheduler().random());
      if (next == Verdict.IGNORE) {
        return false;
      }
      if (next == Verdict.COMMIT || !isTimed(next)) {
        return true;
      }
      forget(attempt, closed);
      backsOff = attempts.state() == State.BACKING_OFF;
    } finally {
      lock.unlock();
    }
    if (next instanceof Begin(int previousAttempts)) {
      begin(policy, previousAttempts);
    } else if (backsOff) {
      waitWithoutAttempt();
    }
    return false;
  }

  /** Sets or stops the timer; returns false if it has to be set and cannot be. With the lock. */
  private boolean isTimed(Decision next) {
    if (next instanceof BackOff(long delayNanos)) {
      return isTimerStarted(delayNanos);
    }
    stopTimer();
    return true;
  }

  /** With the lock. */
  private void forget(CountedAttempt<Q, R> failed, CallEvent.Closed closed) {
    failed.unwatch();
    request.leave(failed.reader);
    refused |= failed.current.isRefusedBefore();
    lastFailure = Optional.of(closed);
    remember(closed.status());
    attempts.drop(failed);
  }

  /** No connection knows the call until its next attempt begins. */
  private void waitWithoutAttempt() {
    CallsWithoutStream waiting = channel().withoutStream();
    waiting.addBackingOff(this);
    if (!isBackingOff()) {
      waiting.removeBackingOff(this); // the next attempt has begun meanwhile, and found nothing
    }
    watchDeadline();
  }

  private boolean isBackingOff() {
    lock.lock();
    try {
      return attempts.state() == State.BACKING_OFF;
    } finally {
      lock.unlock();
    }
  }

  /** The time of the next attempt has come, if this timer is the newest. */
  void onTime(AttemptTimer fired) {
    AttemptPolicy by = Objects.requireNonNull(policy());
    Decision next;
    lock.lock();
    try {
      if (fired != timer) {
        return;
      }
      timer = null;
      next = attempts.onTime(by);
    } finally {
      lock.unlock();
    }
    if (next instanceof Begin(int previousAttempts)) {
      begin(by, previousAttempts);
    } else if (next == Verdict.END) {
      endWithoutAttempt(lastFailure.orElseThrow());
    }
  }

  /** Makes another attempt, and begins it if it is still needed. */
  private void begin(AttemptPolicy by, int previousAttempts) {
    CountedAttempt<Q, R> next =
        new CountedAttempt<>(
            firstAttempt().another(previousAttempts, refused),
            numbered(boundStart(), previousAttempts));
    Joining joining = join(next, by);
    channel().withoutStream().removeBackingOff(this);
    if (joining == Joining.NOT_NEEDED) {
      next.first.failBeforeStart(NOT_NEEDED);
      return;
    }
    channel().journal().onAttempt(by);
    if (!method().type().clientSendsOneMessage()) {
      next.first.sendFlush();
    }
    if (joining == Joining.RUNS_LAST) {
      commit(next);
    }
    watch(next, by);
    begin(next.first);
    sendQuietly(next);
  }

  private Joining join(CountedAttempt<Q, R> next, AttemptPolicy by) {
    lock.lock();
    try {
      Joining joining = attempts.join(next, by);
      if (joining != Joining.NOT_NEEDED) {
        setCurrent(next.first);
      }
      return joining;
    } finally {
      lock.unlock();
    }
  }

  private void onReceiveTimeout(CountedAttempt<Q, R> attempt) {
    AttemptPolicy by = policy();
    if (attempts.committed() != null || by == null || !attempts.running().contains(attempt)) {
      return;
    }
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "no part of a response arrived within the retry policy's perAttemptRecvTimeout");
    CallEvent.Closed closed = CallEvent.Closed.atOnce(late);
    boolean last =
        channel().withoutStream().isClosed()
            || isLast(attempt, closed, by, true, new Pushback.None());
    if (!last || choose(attempt)) { // not if its response has begun meanwhile
      attempt.current.end(late);
    }
  }

  /**
   * Its events are the call's from now on; returns false if those of another attempt are, or if it
   * was dropped.
   */
  private boolean commit(CountedAttempt<Q, R> attempt) {
    return attempts.committed() == attempt
        || choose(attempt)
        || attempts.committed() == attempt; // another thread did
  }

  /** Commits the call to the attempt; returns false if it was committed or over before. */
  private boolean choose(CountedAttempt<Q, R> attempt) {
    List<CountedAttempt<Q, R>> all;
    boolean lacksPart;
    lock.lock();
    try {
      if (!attempts.isUndecided(attempt)) {
        return false;
      }
      stopTimer();
      all = attempts.running();
      for (CountedAttempt<Q, R> each : all) {
        each.unwatch();
        if (each != attempt) {
          request.leave(each.reader);
        }
      }
      lacksPart = request.commit(attempt.reader);
      setCurrent(attempt.current);
      attempts.commit(attempt); // last: who sees it without the lock sees the rest
    } finally {
      lock.unlock();
    }
    for (CountedAttempt<Q, R> each : all) {
      if (each != attempt) {
        each.current.end(NOT_NEEDED);
      }
    }
    if (lacksPart) {
      sendQuietly(attempt);
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
    while (true) { // again if the attempt does not run any more
      Decision next = cancelled();
      if (next == Verdict.IGNORE) {
        return; // the thread that ended it adds its end, perhaps later
      }
      if (next == Verdict.END) {
        firstAttempt().end(status); // if it has not begun, it never will
        endWithoutAttempt(CallEvent.Closed.atOnce(status));
        return;
      }
      List<CountedAttempt<Q, R>> all = attempts.running();
      if (!all.isEmpty() && commit(all.getLast())) {
        all.getLast().current.end(status);
        return;
      }
    }
  }

  private Decision cancelled() {
    lock.lock();
    try {
      Decision next = attempts.cancel();
      if (next == Verdict.END) {
        stopTimer();
      }
      return next;
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
    addEndWithoutAttempt(closed);
    wake();
  }

  @Override
  void onDeadline() {
    List<CountedAttempt<Q, R>> all = attempts.running();
    if (all.isEmpty()) {
      endAttempts(late(whereItWaits()));
      return;
    }
    commit(all.getLast());
    endLate();
  }

  private String whereItWaits() {
    lock.lock();
    try {
      String last = lastFailure.map(it -> "; the last has failed: " + it.status()).orElse("");
      return "waiting for the next attempt after " + attempts.begun() + last;
    } finally {
      lock.unlock();
    }
  }

  @Override
  void stopDeadline() {
    super.stopDeadline();
    if (late != null) {
      late.stopDeadline();
    }
  }
}
