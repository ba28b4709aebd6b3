package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.StubListener;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Connects a call to observers: it is the call's listener, and the observer with which its caller
 * sends.
 */
final class ObserverCall<Q, R>
    implements ClientCallStreamObserver<Q>, ClientCall.Listener<R>, StubListener {
  private static final int ONE_BY_ONE = -1;

  private final MethodDescriptor<Q, R> method;
  private final StreamObserver<R> observer;

  /** The call; replaced by one that does nothing if its start is refused. */
  private volatile ClientCall<Q, R> call;

  // Set before the start.
  private boolean begun;
  private int firstRequest = ONE_BY_ONE;
  private @Nullable Runnable onReady;

  // Written by the listener.
  private volatile @Nullable Metadata headers;
  private volatile @Nullable Metadata trailers;

  /** The caller sends no more; of the thread that sends. */
  private boolean completed;

  /** The observer was told the end: by the listener, or by a start that was refused. */
  private final AtomicBoolean closed = new AtomicBoolean();

  private ObserverCall(
      MethodDescriptor<Q, R> method, ClientCall<Q, R> call, StreamObserver<R> observer) {
    this.method = method;
    this.call = call;
    this.observer = observer;
  }

  static <Q, R> ObserverCall<Q, R> start(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      StreamObserver<R> observer) {
    Objects.requireNonNull(observer, "responseObserver");
    ObserverCall<Q, R> call =
        new ObserverCall<>(method, newCall(channel, method, options), observer);
    call.start(options);
    return call;
  }

  private static <Q, R> ClientCall<Q, R> newCall(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    try {
      return channel.newCall(method, BlockingCalls.withoutHeaders(options));
    } catch (StatusException refusal) { // an interceptor's
      return new RefusedCall<>(refusal);
    }
  }

  @SuppressWarnings("unchecked") // the observer of responses gets requests of this method's type
  private void start(CallOptions options) {
    if (observer instanceof ClientResponseObserver<?, R> own) {
      ((ClientResponseObserver<Q, R>) own).beforeStart(this);
    }
    begun = true;
    try {
      CallStarter.begin(call, this, options);
    } catch (StatusException refusal) { // an interceptor's
      onRefused(refusal);
      return;
    } catch (Throwable e) {
      BlockingCalls.giveUp(call, e);
      throw e;
    }
    if (firstRequest != 0) {
      call.request(firstRequest == ONE_BY_ONE ? 1 : firstRequest);
    }
  }

  /** The observer gets the refusal, and not that the call behind it is cancelled for it. */
  private void onRefused(StatusException refusal) {
    boolean first = closed.compareAndSet(false, true);
    BlockingCalls.giveUp(call, refusal);
    call = new RefusedCall<>(refusal);
    if (first) {
      observer.onError(refusal);
    }
  }

  void sendOnly(Q request) {
    completed = true;
    CallStarter.sendOnly(call, request);
  }

  /** If the message cannot be sent, the call ends, and the observer of the responses is told. */
  @Override
  public void onNext(Q value) {
    Objects.requireNonNull(value, "value");
    if (completed) {
      throw new IllegalStateException(
          method.fullMethodName() + ": no message can follow the half-close");
    }
    try {
      call.sendMessage(value);
    } catch (StatusException e) {
      BlockingCalls.giveUp(call, e); // unless it has ended: an interceptor may have thrown
    }
  }

  @Override
  public void onError(Throwable t) {
    cancel("the request observer received onError", t);
  }

  @Override
  public void onCompleted() {
    completed = true;
    call.halfClose();
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    String why = message == null ? "cancelled by the caller" : message;
    if (cause == null) {
      call.cancel(why);
    } else {
      call.cancel(why, cause);
    }
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public void setOnReadyHandler(Runnable onReadyHandler) {
    requireNotBegun("setOnReadyHandler");
    onReady = Objects.requireNonNull(onReadyHandler, "onReadyHandler");
  }

  @Override
  public void disableAutoRequestWithInitial(int request) {
    requireNotBegun("disableAutoRequestWithInitial");
    if (request < 0) {
      throw new IllegalArgumentException(
          "the number of requested messages cannot be negative: " + request);
    }
    firstRequest = request;
  }

  private void requireNotBegun(String what) {
    if (begun) {
      throw new IllegalStateException(
          what + " has to be called inside ClientResponseObserver.beforeStart");
    }
  }

  @Override
  public void request(int count) {
    if (!begun) {
      throw new IllegalStateException(
          "the call has not started; disableAutoRequestWithInitial sets the initial number of"
              + " requested responses");
    }
    call.request(count);
  }

  @Override
  public void setMessageCompression(boolean enable) {
    call.setMessageCompression(enable);
  }

  @Override
  public Metadata headers() {
    return orEmpty(headers);
  }

  @Override
  public Metadata trailers() {
    return orEmpty(trailers);
  }

  private static Metadata orEmpty(@Nullable Metadata arrived) {
    return arrived == null ? new Metadata() : arrived;
  }

  @Override
  public Optional<SocketAddress> peer() {
    return call.peer();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return call.sslSession();
  }

  @Override
  public void onHeaders(Metadata headers) {
    this.headers = headers;
  }

  @Override
  public void onReady() {
    if (onReady != null) {
      onReady.run();
    }
  }

  @Override
  public void onMessage(R message) {
    observer.onNext(message);
    if (firstRequest == ONE_BY_ONE) {
      call.request(1);
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (this.trailers == null) { // else an interceptor has reported an end before
      this.trailers = trailers;
    }
    if (status.isOk()) {
      end(null);
    } else {
      end(StatusException.ofCall(method, status, headers(), trailers));
    }
  }

  private void end(@Nullable StatusException failure) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (failure == null) {
      observer.onCompleted();
    } else {
      observer.onError(failure);
    }
  }
}
