package dev.gannet.api;

import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.ListenerAccess;
import java.util.Objects;

/**
 * A listener of a server's call that forwards all events to another. Override what should be
 * different, and call {@code super} for the rest.
 *
 * @param <Q> the request message
 */
public abstract class ForwardingServerCallListener<Q> implements ServerCall.Listener<Q> {
  static {
    // Lets a server find out whether the last listener of a chain overrides onComplete.
    EngineAccess.provide(
        ListenerAccess.class, listener -> ((ForwardingServerCallListener<?>) listener).delegate);
  }

  private final ServerCall.Listener<Q> delegate;

  /** Forwards all events to this listener. */
  protected ForwardingServerCallListener(ServerCall.Listener<Q> delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The listener to which all events are forwarded. */
  protected final ServerCall.Listener<Q> delegate() {
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
