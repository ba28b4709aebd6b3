package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import java.util.Optional;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Starts the handler as soon as the call is ready, with its requests as a publisher. */
final class AsyncStreamListener<Q> implements ServerCall.Listener<Q> {
  /** A handler that subscribes to its requests itself. */
  interface Handler<Q> {
    InProgress begin(Flow.Publisher<Q> requests) throws Exception;
  }

  private final ServerCall<Q, ?> call;
  private final Handler<Q> handler;
  private final RequestPublisher<Q> requests;
  private boolean begun;
  private @Nullable InProgress answer;

  AsyncStreamListener(ServerCall<Q, ?> call, Handler<Q> handler) {
    this.call = call;
    this.handler = handler;
    this.requests = new RequestPublisher<>(call::request);
  }

  @Override
  public void onReady() {
    OwnContext.run(call, this::proceed);
  }

  private void proceed() {
    if (answer != null) {
      answer.proceed();
    } else if (!begun) {
      begun = true;
      try {
        answer = handler.begin(requests);
        answer.begin();
      } catch (Throwable e) {
        throw HandlerExceptions.rethrow(call, e);
      }
    }
  }

  @Override
  public void onMessage(Q message) {
    OwnContext.run(call, () -> requests.publish(message));
  }

  @Override
  public void onHalfClose() {
    OwnContext.run(call, () -> requests.end(Optional.empty()));
  }

  @Override
  public void onCancel() {
    OwnContext.run(call, this::stop);
  }

  /**
   * Also called if an interceptor has closed the call, or the subscriber of the requests has
   * thrown.
   */
  @Override
  public void onComplete() {
    OwnContext.run(call, this::stop);
  }

  private void stop() {
    try {
      requests.end(
          Optional.of(
              Status.CANCELLED
                  .withDescription("the call ended before the client's half-close")
                  .asException()));
    } finally { // whatever the subscriber of the requests throws
      if (answer != null) {
        answer.cancel();
      }
    }
  }
}
