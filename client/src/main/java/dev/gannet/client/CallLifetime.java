package dev.gannet.client;

import dev.gannet.api.CallContext;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * From when to when a call counts for its channel, and the call that it is made for. Safe for all
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
    /** Ended before the channel knew that it counts: its caller tells the channel. */
    NOT_ADMITTED,
    ENDED
  }

  private volatile State state = State.NEW;
  private Optional<CallContext> servedAtFirst = CallContext.current();
  private volatile CallContext.@Nullable Registration served;

  /** The channel has counted the call; false if it has ended meanwhile, and the count with it. */
  boolean admit() {
    return STATE.compareAndSet(this, State.NEW, State.ADMITTED);
  }

  /**
   * The call has ended; may be told again.
   *
   * @return whether it counted until now, and the channel is to be told
   */
  boolean end() {
    if (!STATE.compareAndSet(this, State.NEW, State.NOT_ADMITTED)
        && !STATE.compareAndSet(this, State.ADMITTED, State.ENDED)) {
      return false;
    }
    leaveServedCall();
    return state == State.ENDED;
  }

  boolean hasEnded() {
    State now = state;
    return now == State.ENDED || now == State.NOT_ADMITTED;
  }

  /** The call that this one is made for. Interceptors may start calls on threads of their own. */
  Optional<CallContext> servedCall() {
    Optional<CallContext> now = CallContext.current();
    return now.isPresent() || CallContext.isDetached() ? now : servedAtFirst;
  }

  /**
   * The call has begun. Nobody will wait for its answer when nobody waits for that of the call it
   * is made for.
   *
   * @param call told when that one is cancelled before this one has ended
   */
  void endWithServedCall(OutgoingCall<?, ?> call) {
    Optional<CallContext> now = servedCall();
    servedAtFirst = Optional.empty(); // its memory is not this call's to keep
    if (now.isPresent()) {
      CallContext.Registration registration = now.get().onCancelled(call::onServedCallCancelled);
      served = registration;
      if (hasEnded()) { // who ended it may not have found the registration
        registration.close();
      }
    }
  }

  private void leaveServedCall() {
    CallContext.Registration registration = served;
    if (registration != null) {
      registration.close();
      served = null;
    }
  }
}
