package dev.gannet.api;

import java.util.Objects;

/**
 * A listener of a server's call that forwards all events to another. Override what should be
 * different, and call {@code super} for the rest.
 *
 * @param <Q> the request message
 */
public abstract class ForwardingServerCallListener<Q> implements ServerCall.Listener<Q> {
  private final ServerCall.Listener<Q> delegate;

  /** Forwards all events to this listener. */
  protected ForwardingServerCallListener(ServerCall.Listener<Q> delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The listener to which all events are forwarded. */
  public final ServerCall.Listener<Q> delegate() {
    return delegate;
  }

  @Override
  public void onReady() {
    delegate.onReady();
  }

  @Override
  public void onMessage(Q message) {
    delegate.onMessage(message);
  }

  @Override
  public void onHalfClose() {
    delegate.onHalfClose();
  }

  @Override
  public void onCancel() {
    delegate.onCancel();
  }

  @Override
  public void onComplete() {
    delegate.onComplete();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + delegate + ")";
  }
}
