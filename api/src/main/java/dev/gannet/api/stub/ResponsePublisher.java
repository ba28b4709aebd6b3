package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.MethodDescriptor;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The responses of a method: a call for each subscription. Immutable and safe for all threads. */
final class ResponsePublisher<Q, R> implements Flow.Publisher<R> {
  private final Channel channel;
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;

  // Either the only request, or the publisher of requests.
  private final @Nullable Q request;
  private final Flow.@Nullable Publisher<? extends Q> requests;

  private ResponsePublisher(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      @Nullable Q request,
      Flow.@Nullable Publisher<? extends Q> requests) {
    this.channel = channel;
    this.method = method;
    this.options = options;
    this.request = request;
    this.requests = requests;
  }

  /** The responses to one request. */
  static <Q, R> Flow.Publisher<R> to(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    return new ResponsePublisher<>(
        channel, method, options, Objects.requireNonNull(request, "request"), null);
  }

  /** The responses to a stream of requests. */
  static <Q, R> Flow.Publisher<R> toAll(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Flow.Publisher<? extends Q> requests) {
    return new ResponsePublisher<>(
        channel, method, options, null, Objects.requireNonNull(requests, "requests"));
  }

  @Override
  public void subscribe(Flow.Subscriber<? super R> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    ClientCall<Q, R> call;
    try {
      call = channel.newCall(method, BlockingCalls.withoutHeaders(options));
    } catch (RuntimeException | Error e) { // an interceptor's
      subscriber.onSubscribe(new NoSubscription());
      subscriber.onError(e);
      return;
    }
    OutgoingSubscriber<Q> sender =
        requests == null ? null : new OutgoingSubscriber<>(new RequestTarget<>(call));
    ResponseSubscription<R> subscription =
        new ResponseSubscription<>(method, call, sender, subscriber);
    subscriber.onSubscribe(subscription);
    if (subscription.isWanted() && subscription.start(options)) {
      send(call, sender);
    }
  }

  /** The subscription of a call that could not be made. */
  private record NoSubscription() implements Flow.Subscription {
    @Override
    public void request(long messages) {}

    @Override
    public void cancel() {}
  }

  private void send(ClientCall<Q, R> call, @Nullable OutgoingSubscriber<Q> sender) {
    if (sender != null && requests != null) {
      sender.subscribeTo(requests);
    } else if (request != null) {
      CallStarter.sendOnly(call, request);
    }
  }
}
