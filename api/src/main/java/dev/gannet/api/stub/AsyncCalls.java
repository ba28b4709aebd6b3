package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.StatusException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * The four kinds of calls for callers that do not wait; generated asynchronous clients call these
 * methods. No method blocks, so all may be called on event loops.
 *
 * <p><b>Futures.</b> A method that returns a future starts its call at once. If the call fails, the
 * future completes with a {@link StatusException}, also if an interceptor refuses the call. If
 * other code completes the future first, by {@code cancel}, {@code orTimeout} or {@code complete},
 * the call is cancelled. Completing a dependent stage ({@code thenApply}) does not cancel it, as
 * always in Java.
 *
 * <p><b>Publishers</b> follow Reactive Streams. Each subscription is a separate call, which starts
 * when the subscription is made, so that operators that subscribe again repeat the call. The
 * subscriber's demand is the demand of the call; its {@code cancel} cancels the call; {@code
 * onError} gets a {@link StatusException}. A {@code request} below 1 cancels the call and leads to
 * an {@link IllegalArgumentException}. Published messages are never null.
 *
 * <p><b>Published requests</b> are requested while the call is ready to send, at most 16 in
 * advance, so memory stays bounded. If their publisher fails, the call is cancelled with that
 * failure as the cause; if the call ends first, their subscription is cancelled.
 *
 * <p><b>Threads.</b> Futures are completed and subscribers are notified on the call's executor, one
 * signal at a time: {@link CallOptions#withExecutor}, or else the channel's. If a call is made
 * inside a handler, {@link dev.gannet.api.CallContext#current} returns that handler's call in code
 * on these threads: in {@code thenApply} stages that were added before the end, and in subscribers.
 * In {@code …Async} stages and on threads of the application use {@link
 * dev.gannet.api.CallContext#wrap}.
 */
public final class AsyncCalls {
  private AsyncCalls() {}

  /** One request, one response. */
  public static <Q, R> CompletableFuture<R> unary(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    return whole(channel, method, options, request, ResponseFuture::message);
  }

  /**
   * One request, one response with its headers and trailers.
   *
   * @throws IllegalArgumentException if the method is not unary
   */
  public static <Q, R> CompletableFuture<Response<R>> response(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    require(MethodType.UNARY, method);
    return whole(channel, method, options, request, ResponseFuture::response);
  }

  private static void require(MethodType type, MethodDescriptor<?, ?> method) {
    if (method.type() != type) {
      String kind = type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      throw new IllegalArgumentException(method.fullMethodName() + " is not " + kind);
    }
  }

  private static <Q, R, T> CompletableFuture<T> whole(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Q request,
      ResponseFuture.Result<R, T> result) {
    Objects.requireNonNull(request, "request");
    ClientCall<Q, R> call;
    ResponseFuture<R, T> future;
    try {
      call = channel.newCall(method, BlockingCalls.withoutHeaders(options));
      future = new ResponseFuture<>(method, call, result);
      CallStarter.start(call, future, options);
    } catch (StatusException refusal) { // an interceptor's
      return CompletableFuture.failedFuture(refusal);
    }
    call.request(1);
    CallStarter.sendOnly(call, request);
    return future;
  }

  /** One request, a stream of responses. Nothing is sent before there is a subscriber. */
  public static <Q, R> Flow.Publisher<R> serverStreaming(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    return ResponsePublisher.to(channel, method, options, request, null);
  }

  /**
   * One request, a stream of responses with headers and trailers.
   *
   * @param onCall gets the metadata of each call, as {@link AsyncClient#response(MethodDescriptor,
   *     Object, Consumer)} describes
   * @throws IllegalArgumentException if the method is not server streaming
   */
  public static <Q, R> Flow.Publisher<R> response(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Q request,
      Consumer<? super ResponseMetadata> onCall) {
    require(MethodType.SERVER_STREAMING, method);
    return ResponsePublisher.to(
        channel, method, options, request, Objects.requireNonNull(onCall, "onCall"));
  }

  /**
   * A stream of requests, one response. The requests are subscribed to at once; not if an
   * interceptor refuses the call.
   */
  public static <Q, R> CompletableFuture<R> clientStreaming(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Flow.Publisher<? extends Q> requests) {
    return streamed(channel, method, options, requests, ResponseFuture::message);
  }

  /**
   * A stream of requests, one response with its headers and trailers.
   *
   * @throws IllegalArgumentException if the method is not client streaming
   */
  public static <Q, R> CompletableFuture<Response<R>> response(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Flow.Publisher<? extends Q> requests) {
    require(MethodType.CLIENT_STREAMING, method);
    return streamed(channel, method, options, requests, ResponseFuture::response);
  }

  private static <Q, R, T> CompletableFuture<T> streamed(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Flow.Publisher<? extends Q> requests,
      ResponseFuture.Result<R, T> result) {
    Objects.requireNonNull(requests, "requests");
    ClientCall<Q, R> call;
    ResponseFuture<R, T> future;
    OutgoingSubscriber<Q> sender;
    try {
      call = channel.newCall(method, BlockingCalls.withoutHeaders(options));
      future = new ResponseFuture<>(method, call, result);
      sender = new OutgoingSubscriber<>(new RequestTarget<>(call));
      future.sendFrom(sender);
      CallStarter.start(call, future, options);
    } catch (StatusException refusal) { // an interceptor's
      return CompletableFuture.failedFuture(refusal);
    }
    call.request(1);
    sender.subscribeTo(requests);
    return future;
  }

  /**
   * A stream in each direction. Nothing is sent, and the requests are not subscribed to, before
   * there is a subscriber to the responses.
   */
  public static <Q, R> Flow.Publisher<R> bidiStreaming(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Flow.Publisher<? extends Q> requests) {
    return ResponsePublisher.toAll(channel, method, options, requests, null);
  }

  /**
   * A stream in each direction, that of the responses with headers and trailers.
   *
   * @param onCall gets the metadata of each call, as {@link AsyncClient#response(MethodDescriptor,
   *     Object, Consumer)} describes
   * @throws IllegalArgumentException if the method is not bidi streaming
   */
  public static <Q, R> Flow.Publisher<R> response(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Flow.Publisher<? extends Q> requests,
      Consumer<? super ResponseMetadata> onCall) {
    require(MethodType.BIDI_STREAMING, method);
    return ResponsePublisher.toAll(
        channel, method, options, requests, Objects.requireNonNull(onCall, "onCall"));
  }
}
