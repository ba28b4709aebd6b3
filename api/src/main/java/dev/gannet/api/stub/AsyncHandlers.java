package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * The four kinds of handlers that return before their call is over; what generated asynchronous
 * services bind with.
 *
 * <p>What a method throws ends its call, and so does the failure of what it returns: a {@link
 * dev.gannet.api.StatusException} of its own with that status, anything else with {@code UNKNOWN},
 * and the log has it. A call that is cancelled cancels the future ({@link
 * CompletionStage#toCompletableFuture}) or the subscription to the responses, and fails the
 * published requests.
 *
 * <p><b>Requests</b> are published to one subscriber; a second one is refused. They are asked for
 * as it requests them. <b>Responses</b> are subscribed to when the method has returned, and asked
 * for while the call is ready to send, at most 16 ahead: memory stays bounded on both ways.
 *
 * <p><b>Threads.</b> The methods run where the {@link dev.gannet.api.Dispatch} says, and may block
 * there unless it is {@code inline()}; so do the signals of published requests. There {@link
 * dev.gannet.api.CallContext#current} is the call. Stages and publishers that run on other threads
 * have it by {@link dev.gannet.api.CallContext#wrap}.
 */
public final class AsyncHandlers {
  private AsyncHandlers() {}

  /** One request in, one response to come. */
  @FunctionalInterface
  public interface UnaryMethod<Q, R> {
    CompletionStage<R> call(Q request) throws Exception;
  }

  /** One request in, a stream out. */
  @FunctionalInterface
  public interface ServerStreamingMethod<Q, R> {
    Flow.Publisher<R> call(Q request) throws Exception;
  }

  /** A stream in, one response to come. */
  @FunctionalInterface
  public interface ClientStreamingMethod<Q, R> {
    CompletionStage<R> call(Flow.Publisher<Q> requests) throws Exception;
  }

  /** A stream each way. */
  @FunctionalInterface
  public interface BidiStreamingMethod<Q, R> {
    Flow.Publisher<R> call(Flow.Publisher<Q> requests) throws Exception;
  }

  public static <Q, R> ServerCallHandler<Q, R> unary(UnaryMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncRequestListener<>(
            call, request -> new ResponseInProgress<>(call, method.call(request)));
  }

  public static <Q, R> ServerCallHandler<Q, R> serverStreaming(ServerStreamingMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncRequestListener<>(
            call, request -> new ResponsesInProgress<>(call, method.call(request)));
  }

  public static <Q, R> ServerCallHandler<Q, R> clientStreaming(ClientStreamingMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncStreamListener<>(
            call, requests -> new ResponseInProgress<>(call, method.call(requests)));
  }

  public static <Q, R> ServerCallHandler<Q, R> bidiStreaming(BidiStreamingMethod<Q, R> method) {
    return (call, headers) ->
        new AsyncStreamListener<>(
            call, requests -> new ResponsesInProgress<>(call, method.call(requests)));
  }

  /** Ends the call as if its handler had thrown that. Any thread. */
  static void fail(ServerCall<?, ?> call, Throwable thrown) {
    HandlerFailure.close(call, thrown);
    call.fail(thrown);
  }
}
