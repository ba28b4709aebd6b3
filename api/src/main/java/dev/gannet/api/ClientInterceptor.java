package dev.gannet.api;

import java.util.List;

/**
 * Sees, changes or answers calls before the channel does. Safe for all threads. For applications to
 * implement; new methods will have a default.
 */
public interface ClientInterceptor {
  /**
   * Creates the call that the caller gets: usually {@code next.newCall(method, options)}, wrapped
   * in another call.
   *
   * <p>Each call made with these options restarts a deadline that counts from the start of the call
   * ({@link CallOptions#deadlineAfter}). An interceptor that makes several calls for one makes all
   * of them with {@link CallOptions#startingNow options.startingNow()}, so that the caller does not
   * wait longer than it wants.
   */
  <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next);

  /**
   * The channel with interceptors in front of it. The first of the list is the outermost: it sees a
   * call first, and the call's end last.
   */
  static Channel intercept(Channel channel, List<ClientInterceptor> interceptors) {
    Channel result = channel;
    for (ClientInterceptor interceptor : interceptors.reversed()) {
      result = new InterceptedChannel(result, interceptor);
    }
    return result;
  }
}
