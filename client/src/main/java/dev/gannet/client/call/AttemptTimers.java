package dev.gannet.client.call;

import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.CallAttempts.BackOff;
import dev.gannet.client.retry.CallAttempts.Decision;
import dev.gannet.client.retry.CallAttempts.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a {@link RetryingCall}: one for its next attempt, after a backoff or the delay of
 * hedging, and one for the response of each running attempt, if the policy limits how long that may
 * take. They are made here, and set by the call. It also counts how long the call has had no
 * running attempt.
 *
 * <p>The {@link RetryState} calls one method at a time. The listener is called by timers.
 */
final class AttemptTimers<Q, R> {
  /** The call whose timers have fired. */
  interface Listener<Q, R> {
    /** The time of the next attempt has come, if {@link AttemptTimers#take} accepts the timer. */
    void onNextAttempt(AttemptTimer fired);

    /** The response is late, unless {@link CountedAttempt#timeOut} says otherwise. */
    void onReceiveTimeout(CountedAttempt<Q, R> attempt);
  }

  private final CallAttempts<CountedAttempt<Q, R>> attempts;
  private final LongSupplier nanoTime;
  private final Listener<Q, R> listener;

  /** The timer for the next attempt; null if there is none. Older ones have no effect. */
  private @Nullable AttemptTimer newest;

  /** Since when no attempt has been running; null while one is. */
  private @Nullable Long backingOffSinceNanos;

  /** How long none was running before that. */
  private long backedOffNanos;

  /** When the first attempt began, for a policy that learns; null while that is not known. */
  private @Nullable Long firstBegunNanos;

  AttemptTimers(
      CallAttempts<CountedAttempt<Q, R>> attempts, LongSupplier nanoTime, Listener<Q, R> listener) {
    this.attempts = attempts;
    this.nanoTime = nanoTime;
    this.listener = listener;
  }

  /**
   * An attempt has begun: returns the timers for the next one and for its response, as far as they
   * are needed, which are to be set.
   */
  List<AttemptTimer> onBegun(CountedAttempt<Q, R> attempt, AttemptPolicy policy) {
    if (policy.learns() && attempt.isFirst() && attempts.state() == State.TRYING) {
      firstBegunNanos = nanoTime.getAsLong();
    }
    List<AttemptTimer> made = new ArrayList<>(2);
    OptionalLong receiving = policy.receiveTimeoutNanos();
    if (receiving.isPresent()) {
      ofResponse(attempt, receiving.getAsLong()).ifPresent(made::add);
    }
    if (attempts.hedges(policy)) {
      made.add(ofNext(policy.hedgingDelayNanos().orElseThrow()));
    }
    return made;
  }

  /** Also if no other attempt can follow: empty if the attempt has ended meanwhile. */
  private Optional<AttemptTimer> ofResponse(CountedAttempt<Q, R> attempt, long timeoutNanos) {
    AttemptTimer made = new AttemptTimer(timeoutNanos, fired -> listener.onReceiveTimeout(attempt));
    return attempt.watch(made) ? Optional.of(made) : Optional.empty();
  }

  private AttemptTimer ofNext(long delayNanos) {
    stopNext();
    AttemptTimer made = new AttemptTimer(delayNanos, listener::onNextAttempt);
    newest = made;
    return made;
  }

  /**
   * An attempt has failed: returns the timer for the next one after a {@link BackOff}, which is to
   * be set; stops it after another decision.
   */
  Optional<AttemptTimer> follow(Decision decision) {
    if (attempts.state() == State.BACKING_OFF) {
      backingOffSinceNanos = nanoTime.getAsLong();
    }
    if (decision instanceof BackOff(long delayNanos)) {
      return Optional.of(ofNext(delayNanos));
    }
    stopNext();
    return Optional.empty();
  }

  /** Another attempt runs. */
  void onJoined() {
    backedOffNanos = inBackoffNanos();
    backingOffSinceNanos = null;
  }

  /** How long no attempt was running so far, since the first one began. */
  long inBackoffNanos() {
    return backingOffSinceNanos == null
        ? backedOffNanos
        : backedOffNanos + nanoTime.getAsLong() - backingOffSinceNanos;
  }

  /** No attempt begins by time any more, unless there is another timer. */
  void stopNext() {
    if (newest != null) {
      newest.cancel();
      newest = null;
    }
  }

  /**
   * This timer has fired, or cannot be set. Returns whether the next attempt waits for it: it is
   * neither that of a response nor stopped.
   */
  boolean take(AttemptTimer timer) {
    if (timer != newest) {
      return false;
    }
    newest = null;
    return true;
  }

  /**
   * How long ago the first attempt began, for a policy that learns; empty if it was answered before
   * the thread that found the policy could note that.
   */
  OptionalLong sinceFirstBegunNanos() {
    return firstBegunNanos == null
        ? OptionalLong.empty()
        : OptionalLong.of(nanoTime.getAsLong() - firstBegunNanos);
  }
}
