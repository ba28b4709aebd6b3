package dev.gannet.api;

import java.util.List;

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
    return interceptor.interceptCall(call, headers, next);
  }

  @Override
  public boolean waitsForPeer() {
    return next.waitsForPeer();
  }
}
