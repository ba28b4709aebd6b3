package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.MethodDescriptor;
import java.util.Objects;

/**
 * The four kinds of calls for callers with observers; generated observer clients call these
 * methods. No method blocks.
 *
 * <p>Observers are notified on the call's executor, one event at a time: {@link
 * CallOptions#withExecutor}, or else the channel's. If a call is made inside a handler, that
 * handler's call is the {@link dev.gannet.api.CallContext#current} one there. An observer that is a
 * {@link ClientResponseObserver} gets the call before it starts. If an observer throws, its call is
 * cancelled. If an interceptor refuses the call by a {@link dev.gannet.api.StatusException}, {@code
 * onError} gets it on the caller's thread, before the method returns; what the caller sends then is
 * dropped.
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

  /** A stream in each direction. */
  public static <Q, R> ClientCallStreamObserver<Q> bidiStreaming(
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      StreamObserver<R> responseObserver) {
    return ObserverCall.start(channel, method, options, responseObserver);
  }
}
