package dev.gannet.conformance.styles;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ClientResponseObserver;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.api.stub.StreamObserver;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;

/**
 * A call of a client with observers: waits until it is ready to send, and asks for responses one by
 * one as the caller reads them.
 */
public final class ObservedCall<Q, R>
    implements BidiStreamingCall<Q, R>,
        ClientStreamingCall<Q, R>,
        ServerStreamingCall<R>,
        ClientResponseObserver<Q, R> {
  private final CompletableFuture<ClientCallStreamObserver<Q>> call = new CompletableFuture<>();
  private final ResponseQueue<R> responses = new ResponseQueue<>();
  private final CompletableFuture<Void> answered = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean ended;
  private boolean finished;

  private ObservedCall() {}

  /** A call that is begun by giving its method this observer. */
  public static <Q, R> ObservedCall<Q, R> begin(Consumer<StreamObserver<R>> method) {
    ObservedCall<Q, R> call = new ObservedCall<>();
    method.accept(call);
    return call;
  }

  /** The one response of a call that is begun so. */
  public static <R> R await(Consumer<StreamObserver<R>> method) {
    return ObservedCall.<Object, R>begin(method).single();
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> requestStream) {
    requestStream.disableAutoRequestWithInitial(1);
    requestStream.setOnReadyHandler(this::signal);
    call.complete(requestStream);
  }

  @Override
  public void onNext(R response) {
    answered.complete(null);
    responses.add(response);
  }

  @Override
  public void onError(Throwable thrown) {
    responses.fail(thrown);
    end();
  }

  @Override
  public void onCompleted() {
    responses.end();
    end();
  }

  private void end() {
    answered.complete(null);
    lock.lock();
    try {
      ended = true;
    } finally {
      lock.unlock();
    }
    signal();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void send(Q message) {
    lock.lock();
    try {
      while (!ended && !call.join().isReady()) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withCause(e).asException();
    } finally {
      lock.unlock();
    }
    call.join().onNext(message);
  }

  @Override
  public void send(Q message, Duration timeout) throws TimeoutException {
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (!ended && !call.join().isReady()) {
        if (left <= 0) {
          throw new TimeoutException("not ready within " + timeout);
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withCause(e).asException();
    } finally {
      lock.unlock();
    }
    call.join().onNext(message);
  }

  @Override
  public boolean isReady() {
    return call.join().isReady();
  }

  @Override
  public void halfClose() {
    call.join().onCompleted();
  }

  @Override
  public R finish() {
    endRequests();
    return single();
  }

  @Override
  public R finish(Duration timeout) throws TimeoutException {
    endRequests();
    responses.hasNext(timeout);
    return single();
  }

  /** Only once: a caller can finish again after a timeout. */
  private void endRequests() {
    if (!finished) {
      finished = true;
      halfClose();
    }
  }

  private R single() {
    R message = next();
    if (hasNext()) {
      throw Status.INTERNAL.withDescription("more than one response").asException();
    }
    return message;
  }

  @Override
  public boolean hasNext() {
    return responses.hasNext();
  }

  @Override
  public boolean hasNext(Duration timeout) throws TimeoutException {
    return responses.hasNext(timeout);
  }

  @Override
  public R next() {
    R message = responses.next();
    call.join().request(1);
    return message;
  }

  @Override
  public void close() {
    call.join().cancel("cancelled by its caller", null);
  }

  /** Blocks until a response is there, which follows the headers, or the end. */
  @Override
  public Metadata headers() {
    answered.join();
    return call.join().headers();
  }

  @Override
  public Metadata trailers() {
    return call.join().trailers();
  }

  @Override
  public Optional<SocketAddress> peer() {
    return call.join().peer();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return call.join().sslSession();
  }
}
