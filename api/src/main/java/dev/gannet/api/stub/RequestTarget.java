package dev.gannet.api.stub;

import dev.gannet.api.ClientCall;

/** A client's call as the destination of published requests. */
record RequestTarget<Q>(ClientCall<Q, ?> call) implements OutgoingSubscriber.Target<Q> {
  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public void send(Q message) {
    call.sendMessage(message);
  }

  @Override
  public void end() {
    call.halfClose();
  }

  @Override
  public void fail(Throwable thrown) {
    call.cancel("the publisher of requests failed", thrown);
  }
}
