package dev.gannet.api;

import java.util.List;

/**
 * Sees, changes or answers calls before their handler does. Safe for all threads.
 *
 * <p>Of a method with a single request an interceptor hears when that request is whole: a call that
 * it refuses has been read by then, up to the limits of messages and of memory, and small requests
 * have been parsed.
 */
public interface ServerInterceptor {
  /**
   * Begins the call: most often {@code next.startCall(call, headers)} with something around it.
   *
   * @return hears of the call; one that stands around that of {@code next} passes on every event
   */
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
