package dev.gannet.api;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Like a {@link HeadersInterceptor}, for checks that take time because they ask another server or a
 * database: whether a token is still valid, or who the tenant is. Added by {@code
 * ServerBuilder.interceptHeadersAsync} for all services, by {@code
 * ServiceOptions.withAsyncHeadersInterceptor} for one, by {@link
 * ServerMethodDefinition#withAsyncHeadersInterceptor} for one method; safe for all threads.
 * Interceptors of headers of both kinds run in the order in which they were added, each after the
 * check of the one before it has completed.
 *
 * <p>Until the check of a call has completed, its handler and the {@link ServerInterceptor}s do not
 * start. What the client sends meanwhile is kept, and flow control limits it to what a stream may
 * have in flight; a message that does not fit arrives afterwards. The call is one of the concurrent
 * calls of its connection, but not of those that limits of calls and load shedding count.
 *
 * <p>If the call ends meanwhile, because its client cancels it or its deadline passes, the result
 * of the check has no effect; {@link CallContext#onCancelled} can stop it. Nothing else limits how
 * long it may take: complete it after a time of your own, for example by {@link
 * java.util.concurrent.CompletableFuture#orTimeout}, because the client need not have a deadline.
 *
 * <p>It runs where a {@link HeadersInterceptor} does, so it must not block. There is no current
 * call ({@link CallContext#current}), so calls that it starts inherit no deadline. What follows the
 * check runs on an event loop; in process, on the thread that completes it.
 */
@FunctionalInterface
public interface AsyncHeadersInterceptor {
  /**
   * A call has arrived. Values that are {@linkplain CallContext#setValue set}, and headers that are
   * added, before the stage completes are visible to interceptors, to the handler and to the calls
   * that it makes. Only one thread at a time may change them, and none after that.
   *
   * @param headers the request's metadata
   * @return completes when the call may go on. If it fails with a {@link StatusException}, the call
   *     is refused with this status and these trailers, unless this is the failure of another call
   *     ({@link StatusException#passOn}); any other exception is logged, and the client gets {@code
   *     UNKNOWN}
   * @throws StatusException to refuse the call at once, in the same way
   */
  CompletionStage<Void> onHeaders(CallContext call, Metadata headers);

  /**
   * The same check in the form of those that may wait, for lists of both kinds; equal if the
   * interceptor is.
   */
  static AsyncHeadersInterceptor of(HeadersInterceptor interceptor) {
    return new ImmediateCheck(Objects.requireNonNull(interceptor, "interceptor"));
  }

  /**
   * The service with interceptors that see the headers of each method's calls before those that the
   * methods have. The first of the list runs first.
   */
  static ServerServiceDefinition intercept(
      ServerServiceDefinition service, List<AsyncHeadersInterceptor> interceptors) {
    List<AsyncHeadersInterceptor> all = List.copyOf(interceptors);
    return service.map(method -> method.checkedFirstBy(all));
  }
}
