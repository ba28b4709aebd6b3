package dev.gannet.api;

/**
 * Limits how many calls of a server are in their handlers at once, by a key of the application's
 * own: by peer, by tenant, by certificate. Added by {@code ServerBuilder.limitCalls}; safe for all
 * threads.
 *
 * <p>It is asked when the handler of a call would start: after the {@link HeadersInterceptor}s,
 * whose values it finds in the call, and before the {@link ServerInterceptor}s. The request of a
 * method with a single request has arrived then. It sees the calls of all methods that the server
 * has, of all four kinds, also those of health checks and reflection.
 *
 * <p>It runs on event loops, so it must not block; in process, on the thread that makes the call.
 * There is no current call ({@link CallContext#current}).
 */
@FunctionalInterface
@Preview(until = "0.3")
public interface CallLimit {
  /**
   * Takes a place for the call, or refuses it.
   *
   * @return gives the place back. It is closed exactly once: when the handler has answered or
   *     failed, has returned from a call that was cancelled, or will not start after all. This
   *     happens on any thread, event loops included, with or without a current call, and before the
   *     client gets the answer. An exception that it throws is logged
   * @throws StatusException to refuse the call with this status and these trailers; any other
   *     exception is logged, and the client gets {@code UNKNOWN}
   */
  Registration enter(CallContext call);
}
