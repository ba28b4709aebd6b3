package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import java.util.Objects;
import java.util.concurrent.Flow;

/** A stream of future responses; sent on the threads that publish it. */
final class ResponsesInProgress<R> implements InProgress, OutgoingSubscriber.Target<R> {
  private final ServerCall<?, R> call;
  private final Flow.Publisher<R> responses;
  private final OutgoingSubscriber<R> sender = new OutgoingSubscriber<>(this);
  private boolean begun;

  ResponsesInProgress(ServerCall<?, R> call, Flow.Publisher<R> responses) {
    this.call = call;
    this.responses =
        Objects.requireNonNull(responses, "the handler returned null instead of a Flow.Publisher");
  }

  @Override
  public void begin() {
    sender.subscribeTo(responses);
  }

  @Override
  public void proceed() {
    sender.proceed();
  }

  @Override
  public void cancel() {
    sender.stop();
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public void send(R message) {
    if (!begun) {
      begun = true;
      BlockingHandlers.sendHeaders(call);
    }
    call.sendMessage(message);
  }

  @Override
  public void end() {
    if (!begun) {
      BlockingHandlers.sendHeadersAlone(call);
    }
    BlockingHandlers.end(call);
  }

  @Override
  public void fail(Throwable thrown) {
    AsyncHandlers.fail(call, thrown);
  }
}
