package dev.gannet.api;

/**
 * Checks calls as soon as their headers have arrived, before their request is read, and can refuse
 * them: for tokens, quotas, and other checks that need no message. Added by {@code
 * ServerBuilder.interceptHeaders} for all services, by {@code
 * ServiceOptions.withHeadersInterceptor} for one, by {@link
 * ServerMethodDefinition#withHeadersInterceptor} for one method, and run in this order; safe for
 * all threads.
 *
 * <p>A refused call only costs its server the headers: its request is neither stored nor parsed,
 * and its handler and the {@link ServerInterceptor}s do not see it. Tracers see the call. An
 * interceptor only sees calls of methods that the server has, of all four kinds.
 *
 * <p>It runs on event loops, so it must not block; in process, on the thread that makes the call.
 * There is no current call ({@link CallContext#current}). Checks that call another server are an
 * {@link AsyncHeadersInterceptor}.
 */
@FunctionalInterface
public interface HeadersInterceptor {
  /**
   * A call has arrived. Values that are {@linkplain CallContext#setValue set} here are visible to
   * interceptors, to the handler and to the calls that it makes.
   *
   * @param headers the request's metadata; interceptors and the handler see what is added
   * @throws StatusException to refuse the call with this status and these trailers; any other
   *     exception is logged, and the client gets {@code UNKNOWN}
   */
  void onHeaders(CallContext call, Metadata headers);
}
