package dev.gannet.client;

import dev.gannet.api.CallContext;
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

  /** Ends with the call that is served there: nobody will wait for the answer then. */
  void endWith(CallContext.Registration registration) {
    served = registration;
    if (hasEnded()) { // who ended it may not have found the registration
      registration.close();
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
