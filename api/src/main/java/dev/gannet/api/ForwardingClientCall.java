package dev.gannet.api;

import dev.gannet.api.engine.ChannelCall;
import dev.gannet.api.engine.ClientCallAccess;
import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.StubListener;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A call that forwards all methods to another: the base class for calls of a {@link
 * ClientInterceptor}. Override what should be different, and call {@code super} for the rest;
 * {@link #end} ends the call with another status. For a call that is chosen when it starts see
 * {@link DeferredClientCall}, for one that may be made again {@link RepeatableClientCall}, and for
 * one that may be answered without a server {@link SingleRequestClientCall}.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public abstract class ForwardingClientCall<Q, R> implements ClientCall<Q, R> {
  static {
    // Lets a stub find the engine's call behind those of interceptors.
    EngineAccess.provide(ClientCallAccess.class, ForwardingClientCall::setCaller);
  }

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<ForwardingClientCall, @Nullable OwnEnd> END =
      AtomicReferenceFieldUpdater.newUpdater(ForwardingClientCall.class, OwnEnd.class, "ownEnd");

  private final ClientCall<Q, R> delegate;

  /** Set by {@link #end}. */
  private volatile @Nullable OwnEnd ownEnd;

  /** How the interceptor has ended the call. */
  private record OwnEnd(Status status, Metadata trailers) {}

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

  /**
   * Ends the call with this status and these trailers, in place of the end of the call behind it,
   * which is cancelled. Any thread; a call that has ended, or was ended by this method, is not
   * changed, and one that is not started yet ends when it is started.
   *
   * <p>The listener of {@code super.start} gets the end as any other: once, on the call's executor,
   * and never at the same time as another event. No event that has not begun comes before it. A
   * caller that waits for the call wakes up. A caller gets {@link Status.Code#OK} as a failure if
   * its method has a single response, and that has not arrived.
   *
   * <p>What is behind this call sees that it is cancelled: the listeners of interceptors further
   * inside and {@linkplain ClientCallTracer tracers} get {@link Status.Code#CANCELLED}, whose cause
   * is a {@link StatusException} with this status, unless it is {@code OK}; or, if the call has
   * ended there at the same time, the status of that end. The server sees a cancelled call. What is
   * outside of this call sees this status.
   *
   * @param trailers belong to the listener from now on
   */
  @Preview(until = "0.3")
  protected final void end(Status status, Metadata trailers) {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(trailers, "trailers");
    if (!END.compareAndSet(this, null, new OwnEnd(status, trailers))) {
      return;
    }
    String why = "an interceptor has ended the call with " + status.code();
    if (status.isOk()) {
      delegate.cancel(why);
    } else {
      delegate.cancel(why, status.asException());
    }
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    Objects.requireNonNull(listener, "listener");
    delegate.start(new EndableListener<>(listener, this), headers);
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

  /** Gets the events of the call behind, and replaces its end by that of {@link #end}. */
  private static final class EndableListener<R> extends ForwardingClientCallListener<R> {
    private final ForwardingClientCall<?, R> call;

    EndableListener(Listener<? super R> listener, ForwardingClientCall<?, R> call) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onHeaders(Metadata headers) {
      if (call.ownEnd == null) {
        super.onHeaders(headers);
      }
    }

    @Override
    public void onMessage(R message) {
      if (call.ownEnd == null) {
        super.onMessage(message);
      }
    }

    @Override
    public void onReady() {
      if (call.ownEnd == null) {
        super.onReady();
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      OwnEnd own = call.ownEnd;
      if (own == null) {
        super.onClose(status, trailers);
      } else {
        super.onClose(own.status(), own.trailers());
      }
    }
  }
}
