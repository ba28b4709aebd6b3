package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import org.jspecify.annotations.Nullable;

/** Waits for the single request and its end, then starts the handler. */
class AsyncRequestListener<Q> implements ServerCall.Listener<Q> {
  /** A handler that gets the complete request. */
  interface Handler<Q> {
    InProgress begin(Q request) throws Exception;
  }

  private final ServerCall<Q, ?> call;
  private final Handler<Q> handler;
  private @Nullable Q request;
  private @Nullable InProgress answer;

  AsyncRequestListener(ServerCall<Q, ?> call, Handler<Q> handler) {
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
    OwnContext.run(call, this::begin);
  }

  private void begin() {
    Q whole = request;
    if (whole != null) {
      request = null;
      try {
        answer = handler.begin(whole);
        answer.begin();
      } catch (Throwable e) {
        throw HandlerExceptions.rethrow(call, e);
      }
    }
  }

  @Override
  public void onReady() {
    if (answer != null) {
      OwnContext.run(call, answer::proceed);
    }
  }

  @Override
  public void onCancel() {
    stop();
  }

  private void stop() {
    if (answer != null) {
      OwnContext.run(call, answer::cancel);
    }
  }

  /** For a stream of responses, which may go on when an interceptor has closed the call. */
  static final class OfStream<Q> extends AsyncRequestListener<Q> {
    OfStream(ServerCall<Q, ?> call, Handler<Q> handler) {
      super(call, handler);
    }

    @Override
    public void onComplete() {
      super.stop();
    }
  }
}
