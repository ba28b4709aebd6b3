package dev.gannet.api;

import dev.gannet.api.engine.ChannelCall;
import dev.gannet.api.engine.ClientCallAccess;
import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.StubListener;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * A call that forwards all methods to another: the base class for calls of a {@link
 * ClientInterceptor}. Override what should be different, and call {@code super} for the rest. For a
 * call that is chosen when it starts see {@link DeferredClientCall}, for one that may be made again
 * {@link RepeatableClientCall}.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public abstract class ForwardingClientCall<Q, R> implements ClientCall<Q, R> {
  static {
    // Lets a stub find the engine's call behind those of interceptors.
    EngineAccess.provide(ClientCallAccess.class, ForwardingClientCall::setCaller);
  }

  private final ClientCall<Q, R> delegate;

  /** Forwards all methods to this call. */
  protected ForwardingClientCall(ClientCall<Q, R> delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** {@link ClientCallAccess#setCaller}. */
  static void setCaller(Object outermost, StubListener caller) {
    Object call = outermost;
    while (call instanceof ForwardingClientCall<?, ?> forwarding) {
      call = forwarding.delegate;
    }
    if (call instanceof ChannelCall made) {
      made.setCaller(caller);
    } else if (call instanceof DeferredClientCall<?, ?> deferred) {
      deferred.setCaller(caller);
    }
  }

  /** The call to which all methods are forwarded. */
  protected final ClientCall<Q, R> delegate() {
    return delegate;
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    delegate.start(listener, headers);
  }

  @Override
  public void request(int messages) {
    delegate.request(messages);
  }

  @Override
  public void sendMessage(Q message) {
    delegate.sendMessage(message);
  }

  @Override
  public void halfClose() {
    delegate.halfClose();
  }

  @Override
  public void cancel(String message) {
    delegate.cancel(message);
  }

  @Override
  public void cancel(String message, Throwable cause) {
    delegate.cancel(message, cause);
  }

  @Override
  public boolean isReady() {
    return delegate.isReady();
  }

  @Override
  public boolean isResponseCompressed() {
    return delegate.isResponseCompressed();
  }

  @Override
  public Optional<SocketAddress> peer() {
    return delegate.peer();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return delegate.sslSession();
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    delegate.setMessageCompression(enabled);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + delegate + ")";
  }
}
