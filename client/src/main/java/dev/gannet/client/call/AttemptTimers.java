package dev.gannet.client.call;

import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.CallAttempts;
import dev.gannet.client.retry.CallAttempts.BackOff;
import dev.gannet.client.retry.CallAttempts.Decision;
import dev.gannet.client.retry.CallAttempts.State;
import dev.gannet.transport.Scheduler;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a {@link RetryingCall}: one for its next attempt, after a backoff or the delay of
 * hedging, and one for the response of each running attempt, if the policy limits how long that may
 * take. If no timer can be set, there are no more attempts than the running ones.
 *
 * <p>The {@link RetryState} calls one method at a time. The listener is called by timers.
 */
final class AttemptTimers<Q, R> {
  /** The call whose timers have fired. */
  interface Listener<Q, R> {
    /** The time of the next attempt has come, if {@link AttemptTimers#take} accepts the timer. */
    void onNextAttempt(AttemptTimer fired);

    /** The response of the attempt has not begun in time, unless it is about to. */
    void onReceiveTimeout(CountedAttempt<Q, R> attempt);
  }

  private final CallAttempts<CountedAttempt<Q, R>> attempts;
  private final Scheduler scheduler;
  private final Listener<Q, R> listener;

  /** The timer for the next attempt; null if there is none. Older ones have no effect. */
  private @Nullable AttemptTimer newest;

  /** When the first attempt began, for a policy that learns. */
  private long firstBegunNanos;

  AttemptTimers(
      CallAttempts<CountedAttempt<Q, R>> attempts, Scheduler scheduler, Listener<Q, R> listener) {
    this.attempts = attempts;
    this.scheduler = scheduler;
    this.listener = listener;
  }

  /** An attempt has begun: sets the timers for the next one, and for its response. */
  void onBegun(CountedAttempt<Q, R> attempt, AttemptPolicy policy) {
    if (attempts.state() != State.TRYING) {
      return;
    }
    OptionalLong receiving = policy.receiveTimeoutNanos();
    if (receiving.isPresent() && !tryLimitReceiving(attempt, receiving.getAsLong())) {
      attempts.stop();
    }
    if (policy.learns() && attempt.isFirst()) {
      firstBegunNanos = scheduler.nanoTime();
    }
    if (attempts.hedges(policy) && !trySetNext(policy.hedgingDelayNanos().orElseThrow())) {
      attempts.stop();
    }
  }

  /** Returns false if no timer can be set. */
  private boolean tryLimitReceiving(CountedAttempt<Q, R> attempt, long timeoutNanos) {
    try {
      attempt.watch(scheduler.schedule(() -> listener.onReceiveTimeout(attempt), timeoutNanos));
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * An attempt has failed: sets the timer for the next one after a {@link BackOff}, stops it after
   * another decision. Returns false if it has to be set and cannot.
   */
  boolean tryFollow(Decision decision) {
    if (decision instanceof BackOff(long delayNanos)) {
      return trySetNext(delayNanos);
    }
    stopNext();
    return true;
  }

  /** Returns false if no timer can be set. */
  private boolean trySetNext(long delayNanos) {
    stopNext();
    try {
      newest = AttemptTimer.start(scheduler, listener, delayNanos);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** No attempt begins by time any more, unless a timer is set again. */
  void stopNext() {
    if (newest != null) {
      newest.cancel();
      newest = null;
    }
  }

  /** This timer has fired; returns false if it was stopped before. */
  boolean take(AttemptTimer fired) {
    if (fired != newest) {
      return false;
    }
    newest = null;
    return true;
  }

  /** How long ago the first attempt began, for a policy that learns. */
  long sinceFirstBegunNanos() {
    return scheduler.nanoTime() - firstBegunNanos;
  }
}
