package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The responses of a method: a call for each subscription. Immutable and safe for all threads. */
final class ResponsePublisher<Q, R> implements Flow.Publisher<R> {
  private final Channel channel;
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;

  // Either the only request, or the publisher of requests.
  private final @Nullable Q request;
  private final Flow.@Nullable Publisher<? extends Q> requests;

  // Gets the metadata of each call, if its caller wants it.
  private final @Nullable Consumer<? super ResponseMetadata> onCall;

  private ResponsePublisher(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      @Nullable Q request,
      Flow.@Nullable Publisher<? extends Q> requests,
      @Nullable Consumer<? super ResponseMetadata> onCall) {
    this.channel = channel;
    this.method = method;
    this.options = options;
    this.request = request;
    this.requests = requests;
    this.onCall = onCall;
  }

  /** The responses to one request. */
  static <Q, R> Flow.Publisher<R> to(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Q request,
      @Nullable Consumer<? super ResponseMetadata> onCall) {
    return new ResponsePublisher<>(
        channel, method, options, Objects.requireNonNull(request, "request"), null, onCall);
  }

  /** The responses to a stream of requests. */
  static <Q, R> Flow.Publisher<R> toAll(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Flow.Publisher<? extends Q> requests,
      @Nullable Consumer<? super ResponseMetadata> onCall) {
    return new ResponsePublisher<>(
        channel, method, options, null, Objects.requireNonNull(requests, "requests"), onCall);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super R> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    ClientCall<Q, R> call;
    try {
      call = channel.newCall(method, BlockingCalls.withoutHeaders(options));
    } catch (RuntimeException | Error e) { // an interceptor's
      refuse(subscriber, e);
      return;
    }
    OutgoingSubscriber<Q> sender =
        requests == null ? null : new OutgoingSubscriber<>(new RequestTarget<>(call));
    ResponseSubscription<R> subscription =
        new ResponseSubscription<>(method, call, sender, subscriber);
    try {
      report(subscription);
    } catch (RuntimeException | Error e) { // the application's
      BlockingCalls.giveUp(call, e);
      fail(subscriber, e);
      return;
    }
    subscriber.onSubscribe(subscription);
    if (subscription.isWanted() && subscription.start(options)) {
      send(call, sender);
    }
  }

  private void report(ResponseMetadata call) {
    if (onCall != null) {
      onCall.accept(call);
    }
  }

  /** Nothing is known of the call, but a caller that asks for metadata gets it for every call. */
  private void refuse(Flow.Subscriber<? super R> subscriber, Throwable refusal) {
    try {
      report(new NoCall());
    } catch (RuntimeException | Error e) { // the application's
      if (!e.equals(refusal)) { // an exception cannot suppress itself
        refusal.addSuppressed(e);
      }
    }
    fail(subscriber, refusal);
  }

  private static void fail(Flow.Subscriber<?> subscriber, Throwable why) {
    subscriber.onSubscribe(new NoCall());
    subscriber.onError(why);
  }

  /** The subscription, and the metadata, of a call that could not be made. */
  private record NoCall() implements Flow.Subscription, ResponseMetadata {
    @Override
    public void request(long messages) {}

    @Override
    public void cancel() {}

    @Override
    public Metadata headers() {
      return new Metadata();
    }

    @Override
    public Metadata trailers() {
      return new Metadata();
    }

    @Override
    public Optional<SocketAddress> peer() {
      return Optional.empty();
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }
  }

  private void send(ClientCall<Q, R> call, @Nullable OutgoingSubscriber<Q> sender) {
    if (sender != null && requests != null) {
      sender.subscribeTo(requests);
    } else if (request != null) {
      CallStarter.sendOnly(call, request);
    }
  }
}
