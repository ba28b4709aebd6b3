package dev.gannet.api;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A server's call that passes everything on to another: the base of what a {@link
 * ServerInterceptor} puts around a call. Override what is to be different, and call {@code super}
 * for the rest.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public abstract class ForwardingServerCall<Q, R> implements ServerCall<Q, R> {
  private final ServerCall<Q, R> delegate;

  /** Passes everything on to that call. */
  protected ForwardingServerCall(ServerCall<Q, R> delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The call that this one passes everything on to. */
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
  public void sendMessage(R message) {
    delegate.sendMessage(message);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    delegate.close(status, trailers);
  }

  @Override
  public void fail(Throwable thrown) {
    delegate.fail(thrown);
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
