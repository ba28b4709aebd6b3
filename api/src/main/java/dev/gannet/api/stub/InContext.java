package dev.gannet.api.stub;

import dev.gannet.api.CallParent;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.engine.StubListener;

/** Runs a listener with the parent of its call: that of the handler that made it, or its scope. */
record InContext<R>(CallParent parent, ClientCall.Listener<R> listener)
    implements ClientCall.Listener<R>, StubListener {
  @Override
  public void onHeaders(Metadata headers) {
    parent.run(() -> listener.onHeaders(headers));
  }

  @Override
  public void onMessage(R message) {
    parent.run(() -> listener.onMessage(message));
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    parent.run(() -> listener.onClose(status, trailers));
  }

  @Override
  public void onReady() {
    parent.run(listener::onReady);
  }
}
