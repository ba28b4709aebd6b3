package dev.gannet.api;

import java.util.List;

/**
 * Sees, changes or answers calls before their handler does. Safe for all threads.
 *
 * <p>For a method with a single request, an interceptor is called when that request is complete: a
 * call that it refuses has been read by then, within the limits of messages and memory, and a small
 * request has been parsed.
 *
 * <p>Events may be forwarded to listeners later and on other threads, one at a time. But blocking
 * methods with streams wait inside events of their call: if they are started elsewhere, they end
 * the call with {@code INTERNAL}.
 *
 * <p>If a method of a generated service throws, the event throws that exception: a listener of an
 * interceptor may catch it and close the call, or throw another one. If none has closed the call
 * then, the status of the exception (its own, or {@code UNKNOWN}) is passed to {@link
 * ServerCall#close} of the call that the method was given, where it can be changed. Exceptions of
 * handlers that are written by hand are only thrown by the event. A tracer sees the end of every
 * call. For applications to implement; new methods will have a default.
 */
public interface ServerInterceptor {
  /**
   * Starts the call: usually {@code next.startCall(call, headers)}, with a wrapped call or
   * listener.
   *
   * @return the listener of the call; a listener that wraps that of {@code next} must forward every
   *     event
   */
  <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next);

  /**
   * The service with interceptors in front of each method. The first of the list is the outermost:
   * it sees a call first, and the call's end last.
   */
  static ServerServiceDefinition intercept(
      ServerServiceDefinition service, List<ServerInterceptor> interceptors) {
    return service.map(method -> InterceptedHandler.around(method, interceptors));
  }
}
