package dev.gannet.api;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

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
   * ({@link CallOptions#deadlineAfter}). An interceptor that makes several calls for one, by a
   * {@link RepeatableClientCall}, makes all of them with {@link CallOptions#startingNow
   * options.startingNow()}, so that the caller does not wait longer than it wants.
   *
   * <p>An interceptor refuses a call by throwing a {@link StatusException}, here or in {@code
   * start} of its call. The call fails with that status and its trailers: blocking clients throw a
   * StatusException of the call ({@link StatusException#failedCall}) that has the interceptor's as
   * its cause, futures fail with it, and subscribers and observers get it in {@code onError}.
   * Callers without a subscriber get anything else that it throws from the method that they called.
   * It answers or refuses a call by its request with a {@link SingleRequestClientCall}, and ends a
   * call that has started by {@link ForwardingClientCall#end}.
   *
   * @return a {@link ForwardingClientCall}, a {@link DeferredClientCall}, a {@link
   *     RepeatableClientCall}, a {@link SingleRequestClientCall}, or the call of {@code next}
   *     itself. With any other call, a caller may wait for an end that never comes if the listener
   *     of an interceptor throws before it has forwarded the end
   */
  <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next);

  /**
   * Adds headers to each call when it starts: {@code addingHeaders(headers -> headers.set(TENANT,
   * "acme"))}. Interceptors further inside see them in {@link ClientCall#start}, and may change
   * them. A header that an interceptor puts into the options ({@link CallOptions#withHeader}) is
   * added after all interceptors instead: none of them sees it, and it replaces others of its name.
   *
   * @param addition adds to the headers of one call: those of the caller, with what interceptors
   *     further outside have added. It runs on the thread that starts the call; calls of several
   *     threads may run it at once. {@code start} throws what it throws
   */
  static ClientInterceptor addingHeaders(Consumer<Metadata> addition) {
    return new AddedHeaders(Objects.requireNonNull(addition, "addition"));
  }

  /**
   * The channel with interceptors in front of it. The first of the list is the outermost: it sees a
   * call first, and the call's end last.
   */
  static Channel intercept(Channel channel, List<ClientInterceptor> interceptors) {
    Channel result = channel;
    for (ClientInterceptor interceptor : interceptors.reversed()) {
      result = new InterceptedChannel(result, interceptor);
    }
    return interceptors.isEmpty() ? channel : new RefusableChannel(result);
  }
}
