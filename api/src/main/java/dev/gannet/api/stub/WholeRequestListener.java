package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import org.jspecify.annotations.Nullable;

/** Waits for the one request and its end, then runs the handler with it. */
final class WholeRequestListener<Q, R> implements ServerCall.Listener<Q> {
  /** Called with the whole request; one object for all calls of a method. */
  interface Handler<Q, R> {
    void handle(ServerCall<Q, R> call, Q request) throws Exception;
  }

  private final ServerCall<Q, R> call;
  private final Handler<Q, R> handler;
  private @Nullable Q request;

  WholeRequestListener(ServerCall<Q, R> call, Handler<Q, R> handler) {
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
    if (OwnContext.isCurrent(call)) { // without an object, because each unary call passes here
      begin();
    } else {
      call.context().run(this::begin);
    }
  }

  private void begin() {
    Q whole = request;
    if (whole != null) {
      request = null;
      try {
        handler.handle(call, whole);
      } catch (Throwable e) {
        throw HandlerExceptions.rethrow(call, e);
      }
    }
  }
}
