package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
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
    sendNow(message, answered);
  }

  @Override
  public void send(R message, Duration timeout) throws TimeoutException {
    boolean answered = !call.isReady() && !awaitRoom(timeout);
    sendNow(message, answered);
  }

  private void sendNow(R message, boolean answered) {
    if (ended) {
      throw Status.CANCELLED
          .withDescription("the call has ended: its handler has returned")
          .asException();
    }
    if (answered || call.isCancelled()) {
      throw Waiting.ended(call, "the call has ended").asException();
    }
    if (!begun) {
      begun = true;
      BlockingHandlers.sendHeaders(call);
    }
    call.sendMessage(message);
  }

  /** Waits until the call is ready; false if the call was already answered. */
  private boolean awaitRoom() {
    AtomicBoolean held = new AtomicBoolean();
    Waiting.until(call, () -> checkRoom(held));
    return held.get();
  }

  /** As {@link #awaitRoom()}, with a timeout. */
  private boolean awaitRoom(Duration timeout) throws TimeoutException {
    AtomicBoolean held = new AtomicBoolean();
    long endNanos = System.nanoTime() + Waiting.nanos(timeout);
    Waiting.until(call, () -> checkRoom(held), timeout);
    boolean late = System.nanoTime() - endNanos >= 0; // else the call was answered
    if (late && !ended && !checkRoom(held)) {
      throw Waiting.timeout("room for a response of " + call.method().fullMethodName(), timeout);
    }
    return held.get();
  }

  /** Sets whether there is room, or the call was cancelled; returns the same. */
  private boolean checkRoom(AtomicBoolean held) {
    held.set(call.isReady() || call.isCancelled());
    return held.get();
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  void end() {
    if (!begun) {
      BlockingHandlers.sendHeadersAlone(call);
    }
    ended = true;
    BlockingHandlers.end(call);
  }
}
