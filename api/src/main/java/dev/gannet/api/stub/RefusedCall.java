package dev.gannet.api.stub;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.StatusException;

/**
 * A call that an interceptor has refused: its start throws the refusal, and everything else does
 * nothing, because its caller may not know the refusal yet. Immutable and safe for all threads.
 */
record RefusedCall<Q, R>(StatusException refusal) implements ClientCall<Q, R> {
  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    throw refusal;
  }

  @Override
  public void request(int messages) {}

  @Override
  public void sendMessage(Q message) {}

  @Override
  public void halfClose() {}

  @Override
  public void cancel(String message) {}

  @Override
  public void cancel(String message, Throwable cause) {}

  @Override
  public boolean isReady() {
    return false;
  }

  @Override
  public boolean isResponseCompressed() {
    return false;
  }

  @Override
  public void setMessageCompression(boolean enabled) {}
}
