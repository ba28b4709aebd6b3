package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * The four kinds of handlers that return before their call ends; generated asynchronous services
 * use these methods.
 *
 * <p>An exception of a method ends its call, and so does the failure of its result: a {@link
 * dev.gannet.api.StatusException} with its status, anything else with {@code UNKNOWN} and a log
 * line. When a call is cancelled, the future ({@link CompletionStage#toCompletableFuture}) or the
 * subscription to the responses is cancelled, and the published requests fail.
 *
 * <p><b>Requests</b> are published to one subscriber; a second one is rejected. They are requested
 * as the subscriber requests them. <b>Responses</b> are subscribed to when the method has returned,
 * and requested while the call is ready to send, at most 16 in advance: memory stays bounded in
 * both directions.
 *
 * <p><b>Threads.</b> The methods run as the {@link dev.gannet.api.Dispatch} says, and may block
 * there unless it is {@code inline()}; so do the signals of published requests. There {@link
 * dev.gannet.api.CallContext#current} is the call. For stages and publishers that run on other
 * threads use {@link dev.gannet.api.CallContext#wrap}.
 */
public final class AsyncHandlers {
  private AsyncHandlers() {}

  /** One request, one later response. */
  @FunctionalInterface
  public interface UnaryMethod<Q, R> {
    /** Handles a call; the stage completes with its response. */
    CompletionStage<R> call(Q request) throws Exception;
  }

  /** One request, a stream of responses. */
  @FunctionalInterface
  public interface ServerStreamingMethod<Q, R> {
    /** Handles a call; the call ends with the publisher, which is subscribed to once. */
    Flow.Publisher<R> call(Q request) throws Exception;
  }

  /** A stream of requests, one later response. */
  @FunctionalInterface
  public interface ClientStreamingMethod<Q, R> {
    /**
     * Handles a call, whose requests may be subscribed to later; the stage completes with its
     * response.
     */
    CompletionStage<R> call(Flow.Publisher<Q> requests) throws Exception;
  }

  /** A stream in each direction. */
  @FunctionalInterface
  public interface BidiStreamingMethod<Q, R> {
    /** Handles a call; the call ends with the publisher returned, even if requests are left. */
    Flow.Publisher<R> call(Flow.Publisher<Q> requests) throws Exception;
  }

  /** The handler that passes the method each request. */
  public static <Q, R> ServerCallHandler<Q, R> unary(UnaryMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncRequestListener<>(
            call, request -> new ResponseInProgress<>(call, method.call(request)));
  }

  /** The handler that sends what the method publishes. */
  public static <Q, R> ServerCallHandler<Q, R> serverStreaming(ServerStreamingMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncRequestListener.OfStream<>(
            call, request -> new ResponsesInProgress<>(call, method.call(request)));
  }

  /** The handler that publishes the requests to the method. */
  public static <Q, R> ServerCallHandler<Q, R> clientStreaming(ClientStreamingMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncStreamListener<>(
            call, requests -> new ResponseInProgress<>(call, method.call(requests)));
  }

  /** The handler that publishes the requests to the method, and sends what it publishes. */
  public static <Q, R> ServerCallHandler<Q, R> bidiStreaming(BidiStreamingMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncStreamListener<>(
            call, requests -> new ResponsesInProgress<>(call, method.call(requests)));
  }

  /** Ends the call as if its handler had thrown this exception. Any thread. */
  static void fail(ServerCall<?, ?> call, Throwable thrown) {
    call.fail(thrown);
  }
}
