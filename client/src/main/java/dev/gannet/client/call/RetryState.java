package dev.gannet.client.call;

import dev.gannet.api.Metadata;
import dev.gannet.client.credentials.EarlierAttempts;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.CallAttempts.Decision;
import dev.gannet.client.retry.CallAttempts.Joining;
import dev.gannet.client.retry.CallAttempts.State;
import dev.gannet.client.retry.CallAttempts.Verdict;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.retry.RequestBuffer.Entry;
import dev.gannet.protocol.EmptyMetadata;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.Scheduler;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a {@link RetryingCall} share, and the lock that guards it: which attempts
 * there are ({@link CallAttempts}), the request ({@link RequestBuffer}), the timers ({@link
 * AttemptTimers}), and how attempts have failed. Nobody else knows the lock.
 *
 * <p>The contract: each method is one step. It takes the lock for a short time, changes what
 * belongs together, and returns what its caller has to do. Streams and the listener are never
 * called here. Methods that say "any thread" only read, and take no lock.
 */
final class RetryState<Q, R> implements FirstAttemptAlone.State<Q, R> {
  /**
   * The call is committed to an attempt from now on.
   *
   * @param others the attempts that ran beside it, to be ended
   * @param lacksRest whether the attempt lacks a part of the request that no thread is sending
   */
  record Commitment<Q, R>(List<CountedAttempt<Q, R>> others, boolean lacksRest) {
    /** The commitment of most calls. */
    private static final Optional<Commitment<?, ?>> WITH_NOTHING_TO_DO =
        Optional.of(new Commitment<>(List.of(), false));

    @SuppressWarnings("unchecked") // it has no attempts of any type
    static <Q, R> Optional<Commitment<Q, R>> of(
        List<CountedAttempt<Q, R>> others, boolean lacksRest) {
      return others.isEmpty() && !lacksRest
          ? (Optional<Commitment<Q, R>>) (Optional<?>) WITH_NOTHING_TO_DO
          : Optional.of(new Commitment<>(others, lacksRest));
    }
  }

  /**
   * How the call goes on after a failure.
   *
   * @param timer that of the next attempt, which is to be set; empty if none waits for its time
   */
  record Continuation(Decision next, Optional<AttemptTimer> timer) {}

  private final Scheduler scheduler;
  private final AttemptTimers.Listener<Q, R> listener;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.

  private final CallAttempts<CountedAttempt<Q, R>> attempts = new CallAttempts<>();
  private final RequestBuffer<Q> request;

  /** Null until one is needed: most calls end without. */
  private @Nullable AttemptTimers<Q, R> timers;

  private Optional<CallEvent.Closed> lastFailure = Optional.empty();

  /** The headers of call credentials that were sent with the attempt that failed last. */
  private Metadata lastAuthorization = EmptyMetadata.SHARED;

  /** Whether an attempt was replaced because its server has refused it. */
  private boolean refusalRepeated;

  /**
   * The state of a new call.
   *
   * @param listener called by timers, without the lock
   */
  RetryState(ReplayLimits limits, Scheduler scheduler, AttemptTimers.Listener<Q, R> listener) {
    this.scheduler = scheduler;
    this.listener = listener;
    this.request = new RequestBuffer<>(limits);
  }

  // How attempts begin.

  /** The first attempt begins. */
  void beginFirst(CountedAttempt<Q, R> first) {
    lock.lock();
    try {
      attempts.begin(first);
    } finally {
      lock.unlock();
    }
  }

  /**
   * An attempt has begun: the next one may follow after a time, and its response may be late.
   * Returns the timers for that, which are to be set.
   */
  List<AttemptTimer> watch(CountedAttempt<Q, R> attempt, AttemptPolicy policy) {
    if (!policy.needsTime()) {
      return List.of();
    }
    lock.lock();
    try {
      return timers().onBegun(attempt, policy);
    } finally {
      lock.unlock();
    }
  }

  private AttemptTimers<Q, R> timers() {
    assert lock.isHeldByCurrentThread();
    AttemptTimers<Q, R> made = timers;
    if (made == null) {
      made = new AttemptTimers<>(attempts, scheduler::nanoTime, listener);
      timers = made;
    }
    return made;
  }

  /** This timer has fired: another attempt may begin. */
  Decision onTime(AttemptTimer fired, AttemptPolicy policy) {
    lock.lock();
    try {
      return timers().take(fired) ? attempts.onTime(policy) : Verdict.IGNORE;
    } finally {
      lock.unlock();
    }
  }

  /**
   * This timer cannot be set: without time, there are no more attempts than the running ones, and
   * those that follow a failure at once. END if the call has waited only for the timer.
   */
  Decision onNoTimer(AttemptTimer missing) {
    lock.lock();
    try {
      attempts.stop();
      return timers().take(missing) ? attempts.onNoTime() : Verdict.IGNORE;
    } finally {
      lock.unlock();
    }
  }

  /** Another attempt runs, if it is still needed. */
  Joining join(CountedAttempt<Q, R> next, AttemptPolicy policy) {
    lock.lock();
    try {
      if (timers != null) {
        timers.onJoined();
      }
      return attempts.join(next, policy);
    } finally {
      lock.unlock();
    }
  }

  /** A server has refused an attempt: returns whether another one may replace it. Once. */
  boolean mayRepeatRefused() {
    lock.lock();
    try {
      boolean first = !refusalRepeated;
      refusalRepeated = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** A transparent retry replaces an attempt; returns false if that does not run any more. */
  boolean replace(Attempt<Q, R> left, Attempt<Q, R> next) {
    lock.lock();
    try {
      CountedAttempt<Q, R> counted = find(left);
      if (counted == null) {
        return false;
      }
      counted.continueWith(next);
      return true;
    } finally {
      lock.unlock();
    }
  }

  // How attempts end.

  /**
   * An attempt has failed, and is dropped if others continue or follow.
   *
   * @param failure what {@code closed} means for the policy
   * @return IGNORE if it does not run any more; COMMIT if the call ends with this failure;
   *     otherwise how the call goes on without it
   */
  Continuation fail(
      CountedAttempt<Q, R> attempt,
      CallEvent.Closed closed,
      AttemptPolicy policy,
      AttemptPolicy.Failure failure) {
    lock.lock();
    try {
      Decision next = attempts.fail(attempt, policy, failure, scheduler.random());
      if (next == Verdict.IGNORE || next == Verdict.COMMIT) {
        return new Continuation(next, Optional.empty());
      }
      drop(attempt, closed);
      return new Continuation(next, timers().follow(next));
    } finally {
      lock.unlock();
    }
  }

  private void drop(CountedAttempt<Q, R> failed, CallEvent.Closed closed) {
    assert lock.isHeldByCurrentThread();
    failed.unwatch();
    request.leave(failed);
    lastFailure = Optional.of(closed);
    lastAuthorization = failed.authorization();
    attempts.drop(failed);
  }

  /**
   * Commits the call to the attempt; empty if it was committed or over before. The response of the
   * attempt still has to begin in time, unless it has begun.
   */
  Optional<Commitment<Q, R>> commit(CountedAttempt<Q, R> attempt) {
    lock.lock();
    try {
      if (!attempts.isUndecided(attempt)) {
        return Optional.empty();
      }
      stopNext();
      List<CountedAttempt<Q, R>> others = others(attempt);
      for (CountedAttempt<Q, R> each : others) {
        each.unwatch();
        request.leave(each);
      }
      boolean lacksRest = request.commit(attempt);
      attempts.commit(attempt); // last: a thread that sees it without the lock sees the rest
      return Commitment.of(others, lacksRest);
    } finally {
      lock.unlock();
    }
  }

  private List<CountedAttempt<Q, R>> others(CountedAttempt<Q, R> attempt) {
    List<CountedAttempt<Q, R>> all = attempts.running();
    return all.size() == 1 ? List.of() : all.stream().filter(it -> it != attempt).toList();
  }

  private void stopNext() {
    if (timers != null) {
      timers.stopNext();
    }
  }

  /** The call is cancelled: END if no attempt runs, COMMIT if one has to end. */
  Decision cancel() {
    lock.lock();
    try {
      Decision next = attempts.cancel();
      if (next == Verdict.END) {
        stopNext();
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** The call cannot begin, or has ended; returns whether this end is the first. */
  boolean endUnbegun() {
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

  /** The call ends without an attempt: nothing is kept any more. */
  void dropRequest() {
    lock.lock();
    try {
      request.drop();
    } finally {
      lock.unlock();
    }
  }

  // How the request gets to the attempts.

  /** The attempt to which all is sent directly; null while the request is kept. Any thread. */
  @Nullable CountedAttempt<Q, R> direct() {
    return request.state() == RequestBuffer.State.DIRECT ? attempts.committed() : null;
  }

  /**
   * The caller's next entry, which is kept if there can be further attempts.
   *
   * @param sizeBytes the size of its message before compression; 0 if there is none
   */
  Feeding<Q, R> offer(Entry<Q> entry, int sizeBytes) {
    lock.lock();
    try {
      CountedAttempt<Q, R> only = direct();
      if (only != null) { // since a moment ago
        return new Feeding.Send<>(only, entry);
      }
      List<CountedAttempt<Q, R>> all = attempts.running();
      if (request.add(entry, sizeBytes)) {
        return feed(all);
      }
      if (!all.isEmpty()) {
        return new Feeding.Commit<>(farthest(all));
      }
      attempts.onOverflow();
      return request.addBeyond(entry, sizeBytes) ? feed(all) : new Feeding.NoRoom<>();
    } finally {
      lock.unlock();
    }
  }

  private Feeding<Q, R> feed(List<CountedAttempt<Q, R>> all) {
    if (all.size() != 1) {
      return new Feeding.SendRest<>(all);
    }
    CountedAttempt<Q, R> only = all.getFirst();
    Entry<Q> next = request.claim(only);
    return next == null ? new Feeding.SendRest<>(List.of()) : new Feeding.Send<>(only, next);
  }

  /** The attempt that has got most of the request. */
  private static <Q, R> CountedAttempt<Q, R> farthest(List<CountedAttempt<Q, R>> all) {
    return Collections.max(all, Comparator.comparingInt(CountedAttempt::gotCount));
  }

  /**
   * The next entry for the attempt, which this thread sends from now on, until {@link #nextFor}
   * gives it none; null if there is none, or if another thread is sending.
   */
  @Nullable Entry<Q> claim(CountedAttempt<Q, R> attempt) {
    lock.lock();
    try {
      return request.claim(attempt);
    } finally {
      lock.unlock();
    }
  }

  /** The next entry, for the thread that has sent the attempt the one before; null if none. */
  @Nullable Entry<Q> nextFor(CountedAttempt<Q, R> attempt) {
    lock.lock();
    try {
      return request.next(attempt);
    } finally {
      lock.unlock();
    }
  }

  /** The attempt cannot be sent the request. */
  void sendNoMoreTo(CountedAttempt<Q, R> attempt) {
    lock.lock();
    try {
      request.complete(attempt);
    } finally {
      lock.unlock();
    }
  }

  // What the call asks.

  /** The attempts that run. Any thread. */
  List<CountedAttempt<Q, R>> running() {
    return attempts.running();
  }

  /** The newest attempt that runs, or the one that is chosen; null if none runs. Any thread. */
  @Nullable Attempt<Q, R> current() {
    List<CountedAttempt<Q, R>> all = attempts.running();
    return all.isEmpty() ? null : all.getLast().current();
  }

  /** The running attempt of which this is the current one; null if there is none. Any thread. */
  @Nullable CountedAttempt<Q, R> find(Attempt<Q, R> attempt) {
    for (CountedAttempt<Q, R> each : attempts.running()) {
      if (each.current() == attempt) {
        return each;
      }
    }
    return null;
  }

  /** Whether the events of this attempt are the call's. Any thread. */
  boolean isCommittedTo(CountedAttempt<Q, R> attempt) {
    return attempts.committed() == attempt;
  }

  /** Any thread. */
  boolean isCommitted() {
    return attempts.committed() != null;
  }

  /** Whether the request is kept for further attempts. Any thread. */
  boolean isRequestKept() {
    return request.state() == RequestBuffer.State.KEPT;
  }

  /** Whether the policy was told of the failure of this attempt. */
  boolean isCounted(CountedAttempt<Q, R> attempt) {
    lock.lock();
    try {
      return attempts.isCounted(attempt);
    } finally {
      lock.unlock();
    }
  }

  /** How long no attempt was running since the first one began. */
  long inBackoffNanos() {
    lock.lock();
    try {
      return timers == null ? 0 : timers.inBackoffNanos();
    } finally {
      lock.unlock();
    }
  }

  boolean isBackingOff() {
    lock.lock();
    try {
      return attempts.state() == State.BACKING_OFF;
    } finally {
      lock.unlock();
    }
  }

  /** How long ago the first attempt began, for a policy that learns; empty if nobody knows. */
  OptionalLong sinceFirstBegunNanos() {
    lock.lock();
    try {
      return timers().sinceFirstBegunNanos();
    } finally {
      lock.unlock();
    }
  }

  /** How the last attempt has failed that the call does without; empty if there is none. */
  Optional<CallEvent.Closed> lastFailure() {
    lock.lock();
    try {
      return lastFailure;
    } finally {
      lock.unlock();
    }
  }

  /** For the credentials of an attempt: the attempts before it. */
  EarlierAttempts earlierThan(Attempt<Q, R> attempt) {
    lock.lock();
    try {
      return new EarlierAttempts(
          attempt.previousAttempts(), lastFailure.map(CallEvent.Closed::status), lastAuthorization);
    } finally {
      lock.unlock();
    }
  }

  /** What the call waits for while no attempt runs. */
  String waitReason() {
    lock.lock();
    try {
      String last = lastFailure.map(it -> "; the last has failed: " + it.status()).orElse("");
      return "waiting for the next attempt after " + attempts.begun() + last;
    } finally {
      lock.unlock();
    }
  }
}
