package dev.gannet.client.call;

import dev.gannet.api.Status;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.retry.RequestBuffer.Entry;
import dev.gannet.transport.CallEvent;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * How far a {@link RetryingCall} has got, as long as its first attempt may answer it alone, as it
 * does in most calls: no lock and no buffer are needed until something else happens, such as a
 * failure or a cancellation. Then a {@link RetryState} is made that is what it would be if it had
 * been kept from the start, and everything after that is its work.
 *
 * <pre>
 *   none ──begin──► Begun ──trySend──► Sent
 *                     │                  │
 *                     └──────accept──────┴──► Answered
 *
 *   each of them ──retryState──► RetryState
 * </pre>
 *
 * <p>Calls with a stream of requests, with call credentials, with a policy that needs time before
 * an attempt has failed, or without known settings have a RetryState from their begin; a request
 * that is not free by the {@link ReplayLimits} makes one.
 *
 * <p>Safe for all threads: each change is one compare-and-set.
 */
final class FirstAttemptAlone<Q, R> {
  /** What is kept of the call. */
  sealed interface State<Q, R> permits Begun, Sent, Answered, RetryState {}

  /** The first attempt has begun. */
  private record Begun<Q, R>() implements State<Q, R> {
    private static final Begun<?, ?> INSTANCE = new Begun<>();
  }

  /**
   * The first attempt was given the whole request, which is kept for others.
   *
   * @param sizeBytes of the message before compression; asked once, because the application may
   *     change the message afterwards
   */
  record Sent<Q, R>(Q message, boolean compressed, int sizeBytes) implements State<Q, R> {
    private Entry<Q> entry() {
      return Entry.whole(message, compressed);
    }

    private boolean isFree(ReplayLimits limits) {
      return limits.isFree(RequestBuffer.bytesOf(sizeBytes));
    }
  }

  /** The call is committed to the first attempt; nothing is kept. */
  private record Answered<Q, R>() implements State<Q, R> {
    private static final Answered<?, ?> INSTANCE = new Answered<>();
  }

  /** Whether an event of the first attempt is the call's. */
  enum Acceptance {
    /** Only a RetryState can say: this attempt may not be alone, or has failed. */
    NOT_ALONE,
    /** The event is the call's. */
    ACCEPTED,
    /** The event is the call's, which is committed to the attempt with it. */
    COMMITTED
  }

  private static final AtomicReferenceFieldUpdater<FirstAttemptAlone<?, ?>, @Nullable State<?, ?>>
      STATE = updater();

  /** Null before the call begins. */
  private volatile @Nullable State<Q, R> state;

  /** Whether the first attempt has begun, alone or not. */
  boolean isBegun() {
    return state != null;
  }

  /** The state of the call's attempts, if it is kept already. */
  @Nullable RetryState<Q, R> keptState() {
    return state instanceof RetryState<Q, R> kept ? kept : null;
  }

  /** The first attempt begins, alone; returns false if a RetryState is kept. */
  boolean begin() {
    return STATE.compareAndSet(this, null, Begun.INSTANCE);
  }

  /**
   * The whole request may be sent to the first attempt, and nowhere else for now. Returns false if
   * other attempts may need it, too, so that it has to be kept by a RetryState.
   */
  boolean trySend(Sent<Q, R> request, ReplayLimits limits) {
    State<Q, R> now = state;
    return (now instanceof Begun
            && request.isFree(limits)
            && STATE.compareAndSet(this, now, request))
        || state instanceof Answered;
  }

  /**
   * An event of the first attempt. All but readiness commit the call to it, unless it has failed.
   */
  Acceptance accept(CallEvent event) {
    State<Q, R> now = state;
    if (now == null || now instanceof RetryState) {
      return Acceptance.NOT_ALONE;
    }
    if (event.kind() == CallEvent.Kind.READY) {
      return Acceptance.ACCEPTED;
    }
    Status end = event instanceof CallEvent.Closed closed ? closed.status() : Status.OK;
    return end.isOk() || now instanceof Answered ? commit(now) : Acceptance.NOT_ALONE;
  }

  private Acceptance commit(@Nullable State<Q, R> from) {
    State<Q, R> now = from;
    while (now instanceof Begun || now instanceof Sent) {
      if (STATE.compareAndSet(this, now, Answered.INSTANCE)) {
        return Acceptance.COMMITTED;
      }
      now = state;
    }
    return now instanceof Answered ? Acceptance.ACCEPTED : Acceptance.NOT_ALONE;
  }

  /** The state of the attempts of that call, which is kept from now on. */
  RetryState<Q, R> retryState(RetryingCall<Q, R> call) {
    State<Q, R> now = state;
    while (!(now instanceof RetryState<Q, R> kept)) {
      RetryState<Q, R> made = stateAfter(now, call);
      if (STATE.compareAndSet(this, now, made)) {
        return made;
      }
      now = state;
    }
    return kept;
  }

  /** What the state would be if it had been kept from the start. */
  private static <Q, R> RetryState<Q, R> stateAfter(
      @Nullable State<Q, R> before, RetryingCall<Q, R> call) {
    RetryState<Q, R> made = call.newState();
    if (before == null) {
      return made;
    }
    CountedAttempt<Q, R> first = call.countedFirst();
    made.beginFirst(first);
    if (before instanceof Sent<Q, R> sent) {
      made.offer(sent.entry(), sent.sizeBytes()); // the caller's thread sends it
    } else if (before instanceof Answered<Q, R>) {
      made.commit(first);
    }
    return made;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<FirstAttemptAlone<?, ?>, @Nullable State<?, ?>>
      updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(FirstAttemptAlone.class, State.class, "state");
  }
}
