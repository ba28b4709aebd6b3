package dev.gannet.api;

import java.util.List;
import java.util.Objects;

/** A handler with one interceptor in front of it. */
record InterceptedHandler<Q, R>(ServerCallHandler<Q, R> next, ServerInterceptor interceptor)
    implements ServerCallHandler<Q, R> {
  static <Q, R> ServerMethodDefinition<Q, R> around(
      ServerMethodDefinition<Q, R> method, List<ServerInterceptor> interceptors) {
    ServerCallHandler<Q, R> handler = method.handler();
    for (ServerInterceptor interceptor : interceptors.reversed()) {
      handler = new InterceptedHandler<>(handler, interceptor);
    }
    return method.withHandler(handler);
  }

  @Override
  public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
    ServerCall.Listener<Q> listener = interceptor.interceptCall(call, headers, next);
    return Objects.requireNonNull(listener, () -> nullFrom(interceptor, call.method()));
  }

  private static String nullFrom(ServerInterceptor interceptor, MethodDescriptor<?, ?> method) {
    return "interceptCall of "
        + interceptor.getClass().getName()
        + " returned null for "
        + method.fullMethodName()
        + "; it must return the listener of next.startCall, one that wraps it, or an empty"
        + " listener if it has closed the call";
  }

  @Override
  public boolean waitsForPeer() {
    return next.waitsForPeer();
  }
}
