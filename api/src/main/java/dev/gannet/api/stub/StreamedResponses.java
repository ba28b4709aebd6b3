package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;

/** The responses of one call, written by its handler. */
final class StreamedResponses<Q, R> implements Outgoing<R> {
  private final ServerCall<Q, R> call;
  private boolean begun;
  private volatile boolean ended;

  StreamedResponses(ServerCall<Q, R> call) {
    this.call = call;
  }

  @Override
  public void send(R message) {
    if (!call.isReady()) {
      Waiting.until(call, () -> call.isReady() || call.isCancelled());
    }
    if (call.isCancelled() || ended) {
      throw Status.CANCELLED.withDescription("the call is over").asException();
    }
    begin();
    call.sendMessage(message);
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  void end() {
    begin();
    ended = true;
    BlockingHandlers.end(call);
  }

  private void begin() {
    if (!begun) {
      begun = true;
      BlockingHandlers.sendHeaders(call);
    }
  }
}
