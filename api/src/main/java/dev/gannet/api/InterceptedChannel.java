package dev.gannet.api;

import java.util.Objects;
import java.util.concurrent.Executor;

/** A channel with one interceptor in front of it. */
record InterceptedChannel(Channel next, ClientInterceptor interceptor) implements Channel {
  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    ClientCall<Q, R> call = interceptor.interceptCall(method, options, next);
    return Objects.requireNonNull(call, () -> nullFrom(interceptor, method));
  }

  private static String nullFrom(ClientInterceptor interceptor, MethodDescriptor<?, ?> method) {
    return "interceptCall of "
        + interceptor.getClass().getName()
        + " returned null for "
        + method.fullMethodName()
        + "; it must return the ClientCall of next.newCall, or one that wraps it";
  }

  @Override
  public String authority() {
    return next.authority();
  }

  @Override
  public Executor executor() {
    return next.executor();
  }
}
