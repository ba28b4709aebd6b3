package dev.gannet.api;

import java.util.List;

/**
 * Sees, changes or answers calls before their handler does. Safe for all threads.
 *
 * <p>Of a method with a single request an interceptor hears when that request is whole: a call that
 * it refuses has been read by then, up to the limits of messages and of memory, and small requests
 * have been parsed.
 *
 * <p>Listeners may be told of events later and on other threads, one at a time. But plain methods
 * that read or write streams wait inside events of their call: begun elsewhere, they end it with
 * {@code INTERNAL}.
 *
 * <p>A status that a plain method throws goes through {@link ServerCall#close} of the call that it
 * was given, where it can be changed, and then out of the event; whatever else it throws goes out
 * of the event alone.
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
   * The service with interceptors in front of each method. The first of the list is the outermost:
   * it sees a call first, and the call's end last.
   */
  static ServerServiceDefinition intercept(
      ServerServiceDefinition service, List<ServerInterceptor> interceptors) {
    return service.map(method -> InterceptedHandler.around(method, interceptors));
  }
}
