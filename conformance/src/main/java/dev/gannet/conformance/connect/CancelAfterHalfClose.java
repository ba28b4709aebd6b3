package dev.gannet.conformance.connect;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Cancels each call a given time after its requests have ended. Uses another thread, because the
 * caller's own may be blocked in the call by then.
 */
record CancelAfterHalfClose(Duration delay) implements ClientInterceptor {
  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    Executor later = CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
    return new Call<>(next.newCall(method, options), later);
  }

  private record Call<Q, R>(ClientCall<Q, R> next, Executor later) implements ClientCall<Q, R> {
    @Override
    public void halfClose() {
      next.halfClose();
      later.execute(() -> next.cancel("cancelled as the case demands"));
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      next.start(listener, headers);
    }

    @Override
    public void request(int messages) {
      next.request(messages);
    }

    @Override
    public void sendMessage(Q message) {
      next.sendMessage(message);
    }

    @Override
    public void cancel(String message) {
      next.cancel(message);
    }

    @Override
    public void cancel(String message, Throwable cause) {
      next.cancel(message, cause);
    }

    @Override
    public boolean isReady() {
      return next.isReady();
    }

    @Override
    public boolean isResponseCompressed() {
      return next.isResponseCompressed();
    }

    @Override
    public void setMessageCompression(boolean enabled) {
      next.setMessageCompression(enabled);
    }
  }
}
