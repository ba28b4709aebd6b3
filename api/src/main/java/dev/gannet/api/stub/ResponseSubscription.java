package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.StubListener;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * One subscription to the responses of a method: the call's listener, the subscription with which
 * its subscriber controls the call, and the metadata of the call for its caller.
 *
 * <p>All signals except the first come from the call's listener, which gets one event at a time.
 * The call starts after {@code onSubscribe}, so no signal arrives before that has returned.
 */
final class ResponseSubscription<R>
    implements Flow.Subscription, ResponseMetadata, ClientCall.Listener<R>, StubListener {
  private final MethodDescriptor<?, R> method;
  private final ClientCall<?, R> call;
  private final @Nullable OutgoingSubscriber<?> sender;
  private final Demand demand;

  /** Null after it was cancelled or has received the end. */
  private final AtomicReference<Flow.@Nullable Subscriber<? super R>> subscriber;

  /** The violation of the contract by the subscriber, for which the call was cancelled. */
  private volatile @Nullable IllegalArgumentException misuse;

  // Written by the listener.
  private volatile @Nullable Metadata headers;
  private volatile @Nullable Metadata trailers;

  ResponseSubscription(
      MethodDescriptor<?, R> method,
      ClientCall<?, R> call,
      @Nullable OutgoingSubscriber<?> sender,
      Flow.Subscriber<? super R> subscriber) {
    this.method = method;
    this.call = call;
    this.sender = sender;
    this.demand = new Demand(call::request);
    this.subscriber = new AtomicReference<>(subscriber);
  }

  /** Whether the subscriber has not cancelled. */
  boolean isWanted() {
    return subscriber.get() != null;
  }

  /** Starts the call; returns whether it was started. Otherwise the subscriber was notified. */
  boolean start(CallOptions options) {
    try {
      CallStarter.begin(call, this, options);
    } catch (RuntimeException | Error e) {
      // before the call ends for it
      Flow.Subscriber<? super R> receiver = subscriber.getAndSet(null);
      BlockingCalls.giveUp(call, e);
      if (receiver != null) {
        receiver.onError(e);
      }
      return false;
    }
    demand.open();
    return true;
  }

  @Override
  public void request(long messages) {
    if (messages > 0) {
      demand.add(messages);
    } else if (misuse == null) {
      IllegalArgumentException wrong = Demand.notPositive(messages);
      misuse = wrong;
      call.cancel("the subscriber of the responses requested " + messages + " messages", wrong);
    }
  }

  @Override
  public void cancel() {
    if (subscriber.getAndSet(null) != null) {
      call.cancel("the subscriber of the responses cancelled its subscription");
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    this.headers = headers;
  }

  @Override
  public void onReady() {
    if (sender != null) {
      sender.proceed();
    }
  }

  @Override
  public void onMessage(R message) {
    Flow.Subscriber<? super R> receiver = subscriber.get();
    if (receiver != null) {
      try {
        receiver.onNext(message);
      } catch (Throwable e) {
        subscriber.set(null); // it has violated its contract, and gets nothing more
        throw e;
      }
      demand.onTaken();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (this.trailers == null) { // else an interceptor has reported an end before
      this.trailers = trailers;
    }
    Throwable failure = misuse;
    if (failure == null && !status.isOk()) {
      failure = StatusException.ofCall(method, status, headers(), trailers);
    }
    if (sender != null) {
      sender.stop();
    }
    end(failure);
  }

  private void end(@Nullable Throwable failure) {
    Flow.Subscriber<? super R> receiver = subscriber.getAndSet(null);
    if (receiver == null) {
      return;
    }
    if (failure == null) {
      receiver.onComplete();
    } else {
      receiver.onError(failure);
    }
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
}
