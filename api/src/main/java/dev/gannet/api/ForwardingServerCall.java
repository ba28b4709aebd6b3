package dev.gannet.api;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A server's call that forwards all methods to another: the base class for calls of a {@link
 * ServerInterceptor}. Override what should be different, and call {@code super} for the rest. Only
 * {@link #fail} cannot be overridden: it passes what was thrown to {@link #close}. A call that was
 * {@linkplain #end ended} by an interceptor further inside passes {@link #end} and no {@code
 * close}.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public abstract class ForwardingServerCall<Q, R> implements ServerCall<Q, R> {
  private final ServerCall<Q, R> delegate;

  /** Forwards all methods to this call. */
  protected ForwardingServerCall(ServerCall<Q, R> delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The call to which all methods are forwarded. */
  protected final ServerCall<Q, R> delegate() {
    return delegate;
  }

  @Override
  public MethodDescriptor<Q, R> method() {
    return delegate.method();
  }

  @Override
  public CallContext context() {
    return delegate.context();
  }

  @Override
  public void request(int messages) {
    delegate.request(messages);
  }

  @Override
  public void sendHeaders(Metadata headers) {
    delegate.sendHeaders(headers);
  }

  @Override
  public boolean hasSentHeaders() {
    return delegate.hasSentHeaders();
  }

  @Override
  public void sendMessage(R message) {
    delegate.sendMessage(message);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    delegate.close(status, trailers);
  }

  @Override
  public void end(Status status, Metadata trailers) {
    delegate.end(status, trailers);
  }

  /**
   * Passes the status and the trailers of the exception to {@link #close}, where they can be seen
   * and changed, and lets the server log the exception. Before that, interceptors that {@linkplain
   * ServerInterceptor#translating translate} exceptions do so, in this call and further outside.
   */
  @Override
  public final void fail(Throwable thrown) {
    Throwable told = translated(this, thrown);
    ServerCall.closeWith(this, told);
    ServerCall<Q, R> last = delegate;
    while (last instanceof ForwardingServerCall<Q, R> forwarding) {
      last = forwarding.delegate; // their close was called before
    }
    last.fail(told);
  }

  /** What interceptors make of an exception of the handler that has this call. */
  static Throwable translated(ServerCall<?, ?> call, Throwable thrown) {
    Throwable told = thrown;
    ServerCall<?, ?> each = call;
    while (each instanceof ForwardingServerCall<?, ?> forwarding) {
      told = forwarding.translated(told);
      each = forwarding.delegate;
    }
    return told;
  }

  /** What this call makes of an exception: only {@link TranslatedExceptions} makes another one. */
  Throwable translated(Throwable thrown) {
    return thrown;
  }

  @Override
  public boolean isReady() {
    return delegate.isReady();
  }

  @Override
  public boolean isCancelled() {
    return delegate.isCancelled();
  }

  @Override
  public void setCompression(String encoding) {
    delegate.setCompression(encoding);
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    delegate.setMessageCompression(enabled);
  }

  @Override
  public void awaitEvent(BooleanSupplier until) throws InterruptedException {
    delegate.awaitEvent(until);
  }

  @Override
  public void awaitEvent(BooleanSupplier until, Duration atMost) throws InterruptedException {
    delegate.awaitEvent(until, atMost);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + delegate + ")";
  }
}
