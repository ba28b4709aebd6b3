package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import java.util.concurrent.atomic.AtomicBoolean;

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
    boolean answered = !call.isReady() && !awaitRoom();
    if (ended) {
      throw Status.CANCELLED
          .withDescription("the call has ended: its handler has returned")
          .asException();
    }
    if (answered || call.isCancelled()) {
      throw Status.CANCELLED.withDescription("the call has ended").asException();
    }
    begin();
    call.sendMessage(message);
  }

  /** Waits until the call is ready; false if the call was already answered. */
  private boolean awaitRoom() {
    AtomicBoolean held = new AtomicBoolean();
    Waiting.until(
        call,
        () -> {
          held.set(call.isReady() || call.isCancelled());
          return held.get();
        });
    return held.get();
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
