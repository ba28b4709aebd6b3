package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;

/** Runs the handler as soon as the call is ready, with its requests as a stream. */
final class StreamedRequestListener<Q> implements ServerCall.Listener<Q> {
  /** A handler that reads its requests itself. */
  interface Handler<Q> {
    void handle(Incoming<Q> requests) throws Exception;
  }

  private final ServerCall<Q, ?> call;
  private final Handler<Q> handler;
  private final StreamedRequests<Q> requests;
  private boolean begun;

  StreamedRequestListener(ServerCall<Q, ?> call, Handler<Q> handler) {
    this.call = call;
    this.handler = handler;
    this.requests = new StreamedRequests<>(call);
  }

  @Override
  public void onReady() {
    if (!begun) {
      begun = true;
      try {
        handler.handle(requests);
      } catch (Throwable e) {
        throw HandlerExceptions.rethrow(call, e);
      }
    }
  }

  @Override
  public void onMessage(Q message) {
    requests.add(message);
  }

  @Override
  public void onHalfClose() {
    requests.end();
  }

  @Override
  public void onCancel() {
    requests.end();
  }
}
