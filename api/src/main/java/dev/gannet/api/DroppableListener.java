package dev.gannet.api;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The listener of a call that may not start: forwards its events until the end, or until another
 * end takes the place of the call. That comes after an event in which the listener is at the time.
 *
 * <pre>
 *   IDLE ◄──event──► IN_EVENT ──drop──► Dropped ──the event is over──► OVER
 *     └──────end, drop───┴──end─────────────────────────────────────────▲
 * </pre>
 *
 * <p>Any thread may drop the call; events come one at a time. No lock is held in an event.
 *
 * @param <R> the response message
 */
final class DroppableListener<R> extends ForwardingClientCallListener<R> {
  private sealed interface State {}

  private enum Step implements State {
    IDLE,
    IN_EVENT,
    OVER
  }

  /** The listener is in an event, after which this runs. */
  private record Dropped(Runnable replacement) implements State {}

  private final AtomicReference<State> state = new AtomicReference<>(Step.IDLE);

  DroppableListener(ClientCall.Listener<? super R> delegate) {
    super(delegate);
  }

  /**
   * No event that has not begun is forwarded from now on. Runs what ends the call in place of its
   * own end, here or on the thread of an event; not if that end was forwarded.
   */
  void drop(Runnable replacement) {
    State now = state.get();
    while (now == Step.IDLE || now == Step.IN_EVENT) {
      State dropped = now == Step.IDLE ? Step.OVER : new Dropped(replacement);
      if (state.compareAndSet(now, dropped)) {
        if (now == Step.IDLE) {
          replacement.run();
        }
        return;
      }
      now = state.get();
    }
  }

  /** Returns whether this event has to {@link #leave}: not if it comes inside another one. */
  private boolean enter() {
    return state.compareAndSet(Step.IDLE, Step.IN_EVENT);
  }

  private boolean isInEvent() {
    return state.get() == Step.IN_EVENT;
  }

  private void leave() {
    if (!state.compareAndSet(Step.IN_EVENT, Step.IDLE)
        && state.getAndSet(Step.OVER) instanceof Dropped dropped) {
      dropped.replacement().run();
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    boolean entered = enter();
    try {
      if (isInEvent()) {
        super.onHeaders(headers);
      }
    } finally {
      if (entered) {
        leave();
      }
    }
  }

  @Override
  public void onMessage(R message) {
    boolean entered = enter();
    try {
      if (isInEvent()) {
        super.onMessage(message);
      }
    } finally {
      if (entered) {
        leave();
      }
    }
  }

  @Override
  public void onReady() {
    boolean entered = enter();
    try {
      if (isInEvent()) {
        super.onReady();
      }
    } finally {
      if (entered) {
        leave();
      }
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (state.compareAndSet(Step.IDLE, Step.OVER)
        || state.compareAndSet(Step.IN_EVENT, Step.OVER)) {
      super.onClose(status, trailers);
    }
  }
}
