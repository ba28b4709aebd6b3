package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.StubListener;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A client's call with a stream in at least one direction, run by the threads that wait for it. */
final class StreamingCall<Q, R>
    implements BidiStreamingCall<Q, R>,
        ClientStreamingCall<Q, R>,
        ServerStreamingCall<R>,
        ClientCall.Listener<R>,
        StubListener {
  private static final String CLOSED = "the application closed the call before its end";

  private final EventPump pump = new EventPump();
  private final MethodDescriptor<Q, R> method;
  private final ClientCall<Q, R> call;
  private final MessageQueue<R> responses;

  private volatile @Nullable Status status;
  private volatile @Nullable Metadata headers;
  private volatile @Nullable Metadata trailers;

  /** Whether {@link #close} came before the reader had seen the end: nothing is read any more. */
  private volatile boolean closed;

  private Requests requests = Requests.OPEN;

  /** How far the application is with its requests; of the one thread that writes. */
  private enum Requests {
    OPEN,
    HALF_CLOSED,
    /** {@link #finish} has returned the response. */
    ANSWERED
  }

  StreamingCall(Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    this.method = method;
    this.call = channel.newCall(method, BlockingCalls.withoutHeaders(options).withExecutor(pump));
    this.responses = new MessageQueue<>(call::request);
  }

  void start(CallOptions options) {
    try {
      CallStarter.startWithHeaders(call, this, options);
      responses.requestMore();
    } catch (Throwable e) {
      giveUp(e);
      throw e;
    }
  }

  /** Sends the only request and ends the requests. */
  void sendOnly(Q request) {
    try {
      call.sendMessage(request);
      halfClose();
    } catch (Throwable e) {
      giveUp(e);
      throw e;
    }
  }

  private void giveUp(Throwable thrown) {
    BlockingCalls.giveUp(call, thrown);
    pump.abandon();
  }

  @Override
  public void onHeaders(Metadata headers) {
    this.headers = headers;
    pump.signal();
  }

  @Override
  public void onReady() {
    pump.signal(); // on another thread, if an interceptor has chosen one
  }

  @Override
  public void onMessage(R message) {
    responses.add(message);
    pump.signal();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (this.status != null) { // an interceptor has reported an end before
      return;
    }
    this.trailers = trailers;
    this.status = status;
    pump.abandon(); // this may be an interceptor's end, and the call's own comes later
  }

  @Override
  public void send(Q message) {
    Objects.requireNonNull(message, "message");
    refuseAfterHalfClose();
    if (!isReady()) {
      await(() -> call.isReady() || isOver());
    }
    sendNow(message);
  }

  @Override
  public void send(Q message, Duration timeout) throws TimeoutException {
    Objects.requireNonNull(message, "message");
    refuseAfterHalfClose();
    if (!isReady() && !await(() -> call.isReady() || isOver(), timeout)) {
      throw Waiting.timeout("room for a request of " + method.fullMethodName(), timeout);
    }
    sendNow(message);
  }

  private void refuseAfterHalfClose() {
    if (requests != Requests.OPEN) {
      throw new IllegalStateException(
          method.fullMethodName() + ": no message can follow the half-close");
    }
  }

  private void sendNow(Q message) {
    refuseAfterClose();
    Status ended = status;
    if (ended == null) {
      call.sendMessage(message);
    } else if (!ended.isOk() || responses.isEmpty()) {
      throw failed(ended);
    } // otherwise it is dropped: the caller learns of the end when it has read what came before
  }

  @Override
  public boolean isReady() {
    return status == null && call.isReady();
  }

  @Override
  public void halfClose() {
    if (requests == Requests.OPEN) { // interceptors see it once, however often finish is repeated
      call.halfClose();
      requests = Requests.HALF_CLOSED;
    }
  }

  @Override
  public boolean isAnswered() {
    return await(this::isOver, Duration.ZERO);
  }

  @Override
  public R finish() {
    halfClose();
    await(this::isOver);
    return onlyResponse();
  }

  @Override
  public R finish(Duration timeout) throws TimeoutException {
    halfClose();
    if (!await(this::isOver, timeout)) {
      throw Waiting.timeout("response of " + method.fullMethodName(), timeout);
    }
    return onlyResponse();
  }

  /** The response of a call that has ended. */
  private R onlyResponse() {
    refuseAfterClose();
    Status ended = status;
    if (ended != null && !ended.isOk()) {
      throw failure(ended);
    }
    if (requests == Requests.ANSWERED) {
      throw new IllegalStateException("finish has already returned the response");
    }
    requests = Requests.ANSWERED;
    return responses
        .poll()
        .orElseThrow(() ->
            failure(
                Status.INTERNAL.withDescription(
                    "the call ended with OK, and no response reached the caller (did an interceptor"
                        + " drop it?)")));
  }

  @Override
  public boolean hasNext() {
    if (responses.isEmpty()) {
      responses.beginWait(method);
      try {
        responses.requestMore();
        await(() -> !responses.isEmpty() || isOver());
      } finally {
        responses.endWait();
      }
    }
    return hasArrived();
  }

  @Override
  public boolean hasNext(Duration timeout) throws TimeoutException {
    if (responses.isEmpty()) {
      responses.beginWait(method);
      try {
        responses.requestMore();
        if (!await(() -> !responses.isEmpty() || isOver(), timeout)) {
          throw Waiting.timeout("response of " + method.fullMethodName(), timeout);
        }
      } finally {
        responses.endWait();
      }
    }
    return hasArrived();
  }

  private boolean hasArrived() {
    refuseAfterClose();
    Status ended = status;
    if (responses.isEmpty() && ended != null && !ended.isOk()) {
      throw failure(ended);
    }
    return !responses.isEmpty();
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the stream has ended");
    }
    return responses.poll().orElseThrow();
  }

  @Override
  public void close() {
    pump.runArrived();
    closed = closed || status == null || !responses.isEmpty();
    if (status == null) {
      try {
        call.cancel(CLOSED);
      } finally {
        pump.abandon();
      }
    }
  }

  private void refuseAfterClose() {
    if (closed) {
      throw failure(Status.CANCELLED.withDescription(CLOSED));
    }
  }

  private boolean isOver() {
    return status != null || closed;
  }

  @Override
  public Metadata headers() {
    if (headers == null && !isOver()) {
      await(() -> headers != null || isOver());
    }
    Metadata arrived = headers;
    return arrived == null ? new Metadata() : arrived;
  }

  @Override
  public Metadata trailers() {
    Metadata arrived = trailers;
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

  private StatusException failure(Status how) {
    Metadata arrived = headers;
    return StatusException.ofCall(
        method, how, arrived == null ? new Metadata() : arrived, trailers());
  }

  /** The exception for an ended call; after a successful end it is {@code CANCELLED}. */
  private StatusException failed(Status ended) {
    Status why =
        ended.isOk()
            ? Status.CANCELLED.withDescription(
                "the server has sent its response and accepts no more messages")
            : ended;
    return failure(why);
  }

  private void await(BooleanSupplier condition) {
    EventLoopThread.refuseToBlock(method.fullMethodName());
    try {
      pump.runUntil(condition);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private boolean await(BooleanSupplier condition, Duration timeout) {
    EventLoopThread.refuseToBlock(method.fullMethodName());
    try {
      return pump.runUntil(condition, Waiting.nanos(timeout));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private StatusException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    try {
      call.cancel("the calling thread was interrupted", e);
    } finally {
      pump.abandon();
    }
    return failure(
        Status.CANCELLED.withDescription("the calling thread was interrupted").withCause(e));
  }
}
