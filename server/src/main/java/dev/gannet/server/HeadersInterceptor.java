package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;

/**
 * Sees calls as soon as their headers have come, before anything of their requests is read, and may
 * refuse them: checks of tokens, quotas, and what else needs no message. Added by {@link
 * ServerBuilder#interceptHeaders}; safe for all threads.
 *
 * <p>A refused call costs its server nothing but its headers: its request is not kept and not
 * parsed, its handler and {@code ServerInterceptor}s never hear of it. Tracers do. Only calls of
 * methods that the server has come here, of all four kinds.
 *
 * <p>Called on event loops, so it must not block; what has to ask another server belongs into a
 * {@code ServerInterceptor}.
 */
@FunctionalInterface
public interface HeadersInterceptor {
  /**
   * A call has come. Values that are {@linkplain CallContext#setValue set} here are seen by
   * interceptors, by the handler and by the calls that it makes.
   *
   * @param headers the request's metadata; what is added is seen by interceptors and the handler
   * @throws dev.gannet.api.StatusException to refuse the call with that status and its trailers; of
   *     anything else that is thrown the log has a line, and the client gets {@code UNKNOWN}
   */
  void onHeaders(CallContext call, Metadata headers);
}
