package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;

/**
 * Checks calls as soon as their headers have arrived, before their request is read, and can refuse
 * them: for tokens, quotas, and other checks that need no message. Added by {@link
 * ServerBuilder#interceptHeaders}; safe for all threads.
 *
 * <p>A refused call only costs its server the headers: its request is neither stored nor parsed,
 * and its handler and the {@code ServerInterceptor}s do not see it. Tracers see it. Only calls of
 * methods that the server has are checked; methods of all four kinds.
 *
 * <p>It runs on event loops, so it must not block. Checks that call another server belong in a
 * {@code ServerInterceptor}.
 */
@FunctionalInterface
public interface HeadersInterceptor {
  /**
   * A call has arrived. Interceptors, the handler and the calls that it makes see values that are
   * {@linkplain CallContext#setValue set} here.
   *
   * @param headers the request's metadata; interceptors and the handler see what is added
   * @throws dev.gannet.api.StatusException to refuse the call with this status and these trailers;
   *     any other exception is logged, and the client gets {@code UNKNOWN}
   */
  void onHeaders(CallContext call, Metadata headers);
}
