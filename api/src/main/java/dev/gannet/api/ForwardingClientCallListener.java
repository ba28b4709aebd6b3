package dev.gannet.api;

import java.util.Objects;

/**
 * A listener of a client's call that forwards all events to another. Override what should be
 * different, and call {@code super} for the rest.
 *
 * @param <R> the response message
 */
public abstract class ForwardingClientCallListener<R> implements ClientCall.Listener<R> {
  private final ClientCall.Listener<? super R> delegate;

  /** Forwards all events to this listener. */
  protected ForwardingClientCallListener(ClientCall.Listener<? super R> delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The listener to which all events are forwarded. */
  public final ClientCall.Listener<? super R> delegate() {
    return delegate;
  }

  @Override
  public void onHeaders(Metadata headers) {
    delegate.onHeaders(headers);
  }

  @Override
  public void onMessage(R message) {
    delegate.onMessage(message);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    delegate.onClose(status, trailers);
  }

  @Override
  public void onReady() {
    delegate.onReady();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + delegate + ")";
  }
}
