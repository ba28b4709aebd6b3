package dev.gannet.api;

import java.util.List;

/** Sees, changes or answers calls before their handler does. Safe for all threads. */
@FunctionalInterface
public interface ServerInterceptor {
  /** Begins the call: most often {@code next.startCall(call, headers)} with something around it. */
  <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next);

  /**
   * The service with interceptors in front of each method; the last of the list sees a call first.
   */
  static ServerServiceDefinition intercept(
      ServerServiceDefinition service, List<ServerInterceptor> interceptors) {
    return service.map(method -> InterceptedHandler.around(method, interceptors));
  }
}
