package dev.gannet.client.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Registration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call counts for its channel, and the incoming call for which it is made. Safe for all
 * threads.
 *
 * <pre>
 *   NEW ──admit──► ADMITTED ──end──► ENDED
 *    └──end──► NOT_ADMITTED
 * </pre>
 */
final class CallLifetime {
  private static final AtomicReferenceFieldUpdater<CallLifetime, State> STATE =
      AtomicReferenceFieldUpdater.newUpdater(CallLifetime.class, State.class, "state");

  private enum State {
    NEW,
    ADMITTED,
    /** Ended before it was admitted: its caller informs the channel. */
    NOT_ADMITTED,
    ENDED
  }

  private volatile State state;
  private Optional<CallContext> servedAtFirst = CallContext.current();
  private volatile @Nullable Registration served;

  /** Without the fence of a volatile write: no other thread knows this object yet. */
  @SuppressWarnings("NullAway") // the updater sets the state
  CallLifetime() {
    STATE.lazySet(this, State.NEW);
  }

  /**
   * The channel has counted the call; returns false if it has ended meanwhile, so that the count
   * must be corrected.
   */
  boolean admit() {
    return move(State.NEW, State.ADMITTED);
  }

  private boolean move(State from, State to) {
    return state == from && STATE.compareAndSet(this, from, to);
  }

  /**
   * The call has ended; may be called again.
   *
   * @return whether it counted until now, so that the channel must be informed
   */
  boolean end() {
    if (!move(State.NEW, State.NOT_ADMITTED) && !move(State.ADMITTED, State.ENDED)) {
      return false;
    }
    leaveServedCall();
    return state == State.ENDED;
  }

  boolean hasEnded() {
    State now = state;
    return now == State.ENDED || now == State.NOT_ADMITTED;
  }

  /**
   * The incoming call for which this one is made. Interceptors may start calls on other threads.
   */
  Optional<CallContext> servedCall() {
    Optional<CallContext> now = CallContext.current();
    return now.isPresent() || CallContext.isDetached() ? now : servedAtFirst;
  }

  /**
   * The call has begun. It is cancelled when the incoming call is cancelled.
   *
   * @param call notified when the incoming call is cancelled before this one has ended
   */
  void endWithServedCall(OutgoingCall<?, ?> call) {
    Optional<CallContext> now = servedCall();
    servedAtFirst = Optional.empty(); // its registration must not keep this call in memory
    if (now.isPresent()) {
      Registration registration = now.get().onCancelled(call::onServedCallCancelled);
      served = registration;
      if (hasEnded()) { // the thread that ended it may not have found the registration
        registration.close();
      }
    }
  }

  private void leaveServedCall() {
    Registration registration = served;
    if (registration != null) {
      registration.close();
      served = null;
    }
  }
}
