package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.CallAttempts.Begin;
import dev.gannet.client.retry.CallAttempts.Decision;
import dev.gannet.client.retry.CallAttempts.Joining;
import dev.gannet.client.retry.CallAttempts.State;
import dev.gannet.client.retry.CallAttempts.Verdict;
import dev.gannet.client.retry.Pushback;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.Scheduler;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A call that may have several attempts by the policy of its method (gRFC A6), one after the other
 * or in parallel; or a call whose policy is not known yet because its channel was never resolved.
 *
 * <p>Two objects decide, and do nothing themselves: {@link CallAttempts} says which attempts there
 * are, by the {@link AttemptPolicy}, and to which one the call is committed; {@link RequestBuffer}
 * keeps the request, and says which part of it an attempt gets next. This class is their driver: it
 * reports to them what happens, starts the attempts, and passes the events of one of them on. Two
 * more objects act for it: {@link AttemptFeeder} sends the request to the attempts, {@link
 * AttemptTimers} has the timers.
 *
 * <p>The contract: until the call is committed, its listener is only notified of readiness, and
 * each message that the application sends is kept and passed to every running attempt, in order.
 * The call is committed to an attempt by response headers, by the end of that attempt if none may
 * follow, by a request that exceeds its limits, or by a cancellation. From then on nothing is kept,
 * the other attempts are cancelled and ignored, and messages take no lock. There is one deadline
 * and one cancellation for all attempts. If a message cannot be sent, the call is cancelled.
 *
 * <p>The lock guards the attempts, the request and the timers. It is held for short times, and
 * never while messages are serialized or a stream is called. Methods are called without it, and
 * take it if they need it, except those that say "with the lock" and assert it.
 */
public final class RetryingCall<Q, R> extends OutgoingCall<Q, R>
    implements AttemptFeeder.Listener<Q, R>, AttemptTimers.Listener<Q, R> {
  private static final Metadata.Key<String> PREVIOUS_ATTEMPTS =
      Metadata.Key.ascii("grpc-previous-rpc-attempts");
  private static final Status NOT_NEEDED =
      Status.CANCELLED.withDescription("another attempt of the call continues");

  private final ReentrantLock lock = new ReentrantLock();

  /** The policy of its method when it was made; null if none was known yet. */
  private final @Nullable AttemptPolicy known;

  /** The settings that are used instead; null if the policy was known. */
  private final @Nullable LateSettings<Q, R> late;

  /** Sends the request to the attempts, and takes the lock itself. */
  private final AttemptFeeder<Q, R> feeder;

  // Guarded by the lock.

  private final CallAttempts<CountedAttempt<Q, R>> attempts = new CallAttempts<>();
  private final RequestBuffer<Q> request;
  private final AttemptTimers<Q, R> timers;

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
    this.timers = new AttemptTimers<>(lock, attempts, scheduler(), this);
    this.feeder = new AttemptFeeder<>(method, lock, attempts, request, this);
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
        commitTo(first);
      } else {
        watch(first, by);
      }
    }
  }

  Scheduler scheduler() {
    return channel().settings().scheduler();
  }

  /** An attempt has begun: the next one may follow after a time, and its response may be late. */
  private void watch(CountedAttempt<Q, R> attempt, AttemptPolicy policy) {
    if (policy.needsTime()) {
      lock.lock();
      try {
        timers.onBegun(attempt, policy);
      } finally {
        lock.unlock();
      }
    }
  }

  // What the caller sends.

  @Override
  void sendOut(Q message, boolean compressed) {
    feeder.sendMessage(message, compressed);
  }

  @Override
  void closeOut() {
    feeder.sendHalfClose();
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
      feeder.sendRest(to);
    } catch (RuntimeException | Error e) {
      assert hasEnded() || request.state() != RequestBuffer.State.KEPT : e;
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
        if (counted != null && commitToAnswered(counted)) {
          add(event);
        }
      }
    }
  }

  /**
   * Like {@link #commitTo}; also reports to a policy that learns how long the first attempt has
   * taken.
   */
  private boolean commitToAnswered(CountedAttempt<Q, R> attempt) {
    if (attempts.committed() != null) {
      return commitTo(attempt);
    }
    List<CountedAttempt<Q, R>> all = attempts.running();
    if (!commitTo(attempt)) {
      return false;
    }
    AttemptPolicy by = policy();
    if (by != null
        && by.learns()
        && all.stream().anyMatch(it -> it.first.previousAttempts() == 0)) {
      by.onAnswer(timers.sinceFirstBegunNanos());
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
        || channel().isClosing()) {
      count(attempt, by, closed);
      end(attempt, closed);
    } else {
      Pushback pushback = Pushback.of(closed.trailers());
      boolean passing = by.isPassing(closed.status().code());
      if (!tryGoOnWithout(attempt, closed, by, passing, pushback)) {
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

  /** An attempt that was late was counted then. */
  private void count(CountedAttempt<Q, R> attempt, AttemptPolicy policy, CallEvent.Closed closed) {
    if (closed.status().isOk()) {
      policy.throttle().onSuccess();
    } else if (!isCounted(attempt)) {
      policy.countFailure(closed.status().code(), Pushback.of(closed.trailers()));
    }
  }

  private boolean isCounted(CountedAttempt<Q, R> attempt) {
    lock.lock();
    try {
      return attempts.isCounted(attempt);
    } finally {
      lock.unlock();
    }
  }

  /** The end of the attempt ends the call, unless the call is committed to another attempt. */
  private void end(CountedAttempt<Q, R> attempt, CallEvent.Closed closed) {
    if (closed.status().isOk() ? commitToAnswered(attempt) : commitTo(attempt)) {
      add(closed);
    }
  }

  /**
   * The attempt has failed, and the call goes on without it if it can: the attempt is dropped, and
   * others continue or follow. Returns false if the call ends with this failure instead.
   */
  private boolean tryGoOnWithout(
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
        return true;
      }
      if (next == Verdict.COMMIT || !timers.tryFollow(next)) {
        return false;
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
    return true;
  }

  /** The attempt does not run any more, and others decide. With the lock. */
  private void forget(CountedAttempt<Q, R> failed, CallEvent.Closed closed) {
    assert lock.isHeldByCurrentThread();
    failed.unwatch();
    request.leave(failed.reader);
    refused |= failed.current.isRefusedBefore();
    lastFailure = Optional.of(closed);
    diagnosis().onAttemptFailed(closed.status());
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

  @Override
  public void onNextAttempt(AttemptTimer fired) {
    AttemptPolicy by = Objects.requireNonNull(policy());
    Decision next;
    lock.lock();
    try {
      if (!timers.take(fired)) {
        return;
      }
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
      commitTo(next);
    }
    watch(next, by);
    begin(next.first);
    sendRestQuietly(next);
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

  @Override
  public void onReceiveTimeout(CountedAttempt<Q, R> attempt) {
    AttemptPolicy by = policy();
    if (attempts.committed() != null || by == null || !attempts.running().contains(attempt)) {
      return;
    }
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "no part of a response arrived within the retry policy's perAttemptRecvTimeout");
    CallEvent.Closed closed = CallEvent.Closed.atOnce(late);
    boolean last =
        channel().isClosing() || !tryGoOnWithout(attempt, closed, by, true, new Pushback.None());
    if (!last || tryChoose(attempt)) { // not if its response has begun meanwhile
      attempt.current.end(late);
    }
  }

  /**
   * From now on the events of this attempt are those of the call. Returns false if the call is
   * committed to another attempt, or this one was dropped.
   */
  private boolean commitTo(CountedAttempt<Q, R> attempt) {
    return attempts.committed() == attempt
        || tryChoose(attempt)
        || attempts.committed() == attempt; // another thread did
  }

  /** Commits the call to the attempt; returns false if it was committed or over before. */
  private boolean tryChoose(CountedAttempt<Q, R> attempt) {
    List<CountedAttempt<Q, R>> all;
    boolean lacksPart;
    lock.lock();
    try {
      if (!attempts.isUndecided(attempt)) {
        return false;
      }
      timers.stopNext();
      all = attempts.running();
      for (CountedAttempt<Q, R> each : all) {
        each.unwatch();
        if (each != attempt) {
          request.leave(each.reader);
        }
      }
      lacksPart = request.commit(attempt.reader);
      setCurrent(attempt.current);
      attempts.commit(attempt); // last: a thread that sees it without the lock sees the rest
    } finally {
      lock.unlock();
    }
    for (CountedAttempt<Q, R> each : all) {
      if (each != attempt) {
        each.current.end(NOT_NEEDED);
      }
    }
    if (lacksPart) {
      sendRestQuietly(attempt);
    }
    if (isMessageRequested()) {
      notifyRequested();
    }
    return true;
  }

  @Override
  boolean isRetryPossible(Attempt<Q, R> attempt) {
    return !channel().isClosing() && find(attempt) != null;
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
      commitTo(counted);
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
      if (!all.isEmpty() && commitTo(all.getLast())) {
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
        timers.stopNext();
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
    commitTo(all.getLast());
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
