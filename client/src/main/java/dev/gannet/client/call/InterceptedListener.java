package dev.gannet.client.call;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.engine.StubListener;
import org.jspecify.annotations.Nullable;

/**
 * The listener of a call with interceptors: the first of theirs, which gets the events, and the
 * caller's own, which gets the end if one of theirs throws. A call without interceptors has none.
 */
final class InterceptedListener<R> implements ClientCall.Listener<R> {
  private final StubListener caller;

  /** Null until the call starts. */
  private ClientCall.@Nullable Listener<? super R> first;

  InterceptedListener(StubListener caller) {
    this.caller = caller;
  }

  boolean isStarted() {
    return first != null;
  }

  /** The call starts with this listener. */
  void start(ClientCall.Listener<? super R> listener) {
    first = listener;
  }

  StubListener caller() {
    return caller;
  }

  @Override
  public void onHeaders(Metadata headers) {
    if (first != null) {
      first.onHeaders(headers);
    }
  }

  @Override
  public void onMessage(R message) {
    if (first != null) {
      first.onMessage(message);
    }
  }

  @Override
  public void onReady() {
    if (first != null) {
      first.onReady();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (first != null) {
      first.onClose(status, trailers);
    }
  }
}
