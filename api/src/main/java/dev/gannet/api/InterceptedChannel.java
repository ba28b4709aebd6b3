package dev.gannet.api;

/** A channel with one interceptor in front of it. */
record InterceptedChannel(Channel next, ClientInterceptor interceptor) implements Channel {
  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return interceptor.interceptCall(method, options, next);
  }

  @Override
  public String authority() {
    return next.authority();
  }
}
