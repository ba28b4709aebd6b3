package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import org.jspecify.annotations.Nullable;

/** Waits for the one request and its end, then runs the handler with it. */
final class WholeRequestListener<Q> implements ServerCall.Listener<Q> {
  /** A handler that has what it needs. */
  interface Handler<Q> {
    void handle(Q request) throws Exception;
  }

  private final ServerCall<Q, ?> call;
  private final Handler<Q> handler;
  private @Nullable Q request;

  WholeRequestListener(ServerCall<Q, ?> call, Handler<Q> handler) {
    this.call = call;
    this.handler = handler;
    call.request(1);
  }

  @Override
  public void onMessage(Q message) {
    request = message;
  }

  @Override
  public void onHalfClose() {
    Q whole = request;
    if (whole != null) {
      request = null;
      try {
        handler.handle(whole);
      } catch (Exception e) {
        throw HandlerFailure.rethrown(call, e);
      }
    }
  }
}
