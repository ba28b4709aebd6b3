package dev.gannet.api.stub;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.StubListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future response of a call, and the call's listener. If other code completes it first, the
 * call is cancelled.
 *
 * @param <R> the response message
 * @param <T> the result of the future: the message, or the message with its metadata
 */
final class ResponseFuture<R, T> extends CompletableFuture<T>
    implements ClientCall.Listener<R>, StubListener {
  /** Converts the response to the result of the future. */
  interface Result<R, T> {
    T of(ResponseFuture<R, T> future, R message);
  }

  private final MethodDescriptor<?, R> method;
  private final ClientCall<?, R> call;
  private final Result<R, T> result;
  private @Nullable OutgoingSubscriber<?> sender;

  // The listener's.
  private @Nullable R message;
  private @Nullable Metadata headers;
  private @Nullable Metadata trailers;

  ResponseFuture(MethodDescriptor<?, R> method, ClientCall<?, R> call, Result<R, T> result) {
    this.method = method;
    this.call = call;
    this.result = result;
  }

  /**
   * Sets the subscriber that sends the call's requests, which is notified of readiness and the end;
   * called before the start.
   */
  void sendFrom(OutgoingSubscriber<?> sender) {
    this.sender = sender;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if it would block an event loop
   */
  @Override
  public T get() throws InterruptedException, ExecutionException {
    refuseToBlock();
    return super.get();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if it would block an event loop
   */
  @Override
  public T join() {
    refuseToBlock();
    return super.join();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if it would block an event loop
   */
  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (timeout > 0) {
      refuseToBlock();
    }
    return super.get(timeout, unit);
  }

  private void refuseToBlock() {
    if (!isDone()) {
      EventLoopThread.refuseToBlock(method.fullMethodName());
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    this.headers = headers;
  }

  @Override
  public void onMessage(R message) {
    this.message = message;
  }

  @Override
  public void onReady() {
    if (sender != null) {
      sender.proceed();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    this.trailers = trailers;
    if (!status.isOk()) {
      fail(status);
    } else if (message == null) { // an interceptor has dropped it, or has created the end
      fail(
          Status.INTERNAL.withDescription(
              "the call ended with OK, and no response reached the caller (did an interceptor drop"
                  + " it?)"));
    } else {
      super.complete(result.of(this, message));
    }
    if (sender != null) {
      sender.stop();
    }
  }

  private void fail(Status status) {
    super.completeExceptionally(
        StatusException.ofCall(method, status, orEmpty(headers), orEmpty(trailers)));
  }

  R message(R arrived) {
    return arrived;
  }

  Response<R> response(R arrived) {
    return new Response<>(
        arrived, orEmpty(headers), orEmpty(trailers), call.peer(), call.sslSession());
  }

  private static Metadata orEmpty(@Nullable Metadata metadata) {
    return metadata == null ? new Metadata() : metadata;
  }

  @Override
  public boolean complete(T value) {
    return cancelsCall(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable thrown) {
    return cancelsCall(super.completeExceptionally(thrown));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean wasOpen = !isDone();
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    cancelsCall(wasOpen && cancelled); // does nothing if the call has ended meanwhile
    return cancelled;
  }

  private boolean cancelsCall(boolean completedHere) {
    if (completedHere) {
      call.cancel("its future was cancelled or completed by the caller");
    }
    return completedHere;
  }
}
