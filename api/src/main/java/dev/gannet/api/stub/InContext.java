package dev.gannet.api.stub;

import dev.gannet.api.CallContext;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.engine.StubListener;

/** Runs a listener in the context of the incoming call whose handler made the listener's call. */
record InContext<R>(CallContext context, ClientCall.Listener<R> listener)
    implements ClientCall.Listener<R>, StubListener {
  @Override
  public void onHeaders(Metadata headers) {
    context.run(() -> listener.onHeaders(headers));
  }

  @Override
  public void onMessage(R message) {
    context.run(() -> listener.onMessage(message));
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    context.run(() -> listener.onClose(status, trailers));
  }

  @Override
  public void onReady() {
    context.run(listener::onReady);
  }
}
