package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.MethodDescriptor;
import java.util.Objects;

/**
 * The four kinds of calls for callers with observers; what generated observer clients call. No
 * method blocks.
 *
 * <p>Observers are told on the call's executor, one thing at a time: {@link
 * CallOptions#withExecutor}, else the channel's. A call that is made inside a handler has that
 * handler's call as the {@link dev.gannet.api.CallContext#current} one there. An observer that is a
 * {@link ClientResponseObserver} is given the call before it begins. One that throws has its call
 * cancelled.
 */
public final class ObserverCalls {
  private ObserverCalls() {}

  /** One request, one response. */
  public static <Q, R> void unary(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Q request,
      StreamObserver<R> responseObserver) {
    Objects.requireNonNull(request, "request");
    ObserverCall.start(channel, method, options, responseObserver).sendOnly(request);
  }

  /** One request, a stream of responses. */
  public static <Q, R> void serverStreaming(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Q request,
      StreamObserver<R> responseObserver) {
    Objects.requireNonNull(request, "request");
    ObserverCall.start(channel, method, options, responseObserver).sendOnly(request);
  }

  /** A stream of requests, one response. */
  public static <Q, R> ClientCallStreamObserver<Q> clientStreaming(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      StreamObserver<R> responseObserver) {
    return ObserverCall.start(channel, method, options, responseObserver);
  }

  /** A stream each way. */
  public static <Q, R> ClientCallStreamObserver<Q> bidiStreaming(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      StreamObserver<R> responseObserver) {
    return ObserverCall.start(channel, method, options, responseObserver);
  }
}
