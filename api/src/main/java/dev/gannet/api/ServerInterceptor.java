package dev.gannet.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Sees, changes or answers calls before their handler does. Safe for all threads.
 *
 * <p>For a method with a single request, an interceptor is called when that request is complete: a
 * call that it refuses has been read by then, within the limits of messages and memory, and a small
 * request has been parsed.
 *
 * <p>Events may be forwarded to listeners later and on other threads, one at a time. But blocking
 * methods with streams wait inside events of their call: if they are started elsewhere, they end
 * the call with {@code INTERNAL}. A call whose handler is at work is ended by {@link
 * ServerCall#end}, from any thread.
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
   * Opens a scope on the thread that runs a handler, and closes it there afterwards: for state of
   * the thread, such as the MDC of a logger, a span of OpenTelemetry, or a security context.
   *
   * <pre>{@code
   * ServerInterceptor.around(call -> MDC.putCloseable("peer", call.peer().toString()))
   * }</pre>
   *
   * <p>A scope is open while the handlers and interceptors behind this one start a call, and around
   * each event of the call, on whichever thread it is delivered; blocking methods run inside
   * events. An event that is delivered inside another one, because a method waits for it, does not
   * open a second scope. What a handler or an interceptor behind this one does on other threads is
   * outside of it.
   *
   * <p>If the opener throws, or returns null, or if closing throws, the call ends with {@code
   * INTERNAL} and a description that says so, or with the status of a {@link StatusException}; an
   * end that was sent before stands. The log has the exception. The handler gets the end of the
   * call in any case.
   *
   * @param opener opens a scope for an event of this call; the same thread closes what it returns.
   *     If the thread may have state of others, because calls in process run on threads of their
   *     callers ({@link Dispatch#inline()}), closing must set back what was there before
   */
  static ServerInterceptor around(Function<? super CallContext, ? extends AutoCloseable> opener) {
    return new ScopedEvents(Objects.requireNonNull(opener, "opener"));
  }

  /**
   * Gives exceptions of the application a status, for handlers of all kinds: what a method throws,
   * what its stage or publisher fails with, what a listener throws in an event or {@code startCall}
   * throws, and what is passed to {@link ServerCall#fail}.
   *
   * <pre>{@code
   * ServerInterceptor.translating(thrown ->
   *     thrown instanceof NoSuchUserException e
   *         ? Optional.of(Status.NOT_FOUND.withDescription(e.getMessage()).asException())
   *         : Optional.empty())
   * }</pre>
   *
   * <p>The result ends the call as if the handler had thrown it: the client gets its status and
   * trailers, and nothing is logged. Interceptors that are further outside see that status, too,
   * and the exception as its cause, unless it has another one. If the result is the failure of a
   * call that the handler made, it is {@linkplain StatusException#passOn passed on}. After an empty
   * result the call ends as without this interceptor; also if the function throws or returns null,
   * and then that failure is a suppressed exception of the one in the log.
   *
   * <p>Covers the handlers and the interceptors behind this one. Listeners of interceptors behind
   * it see the exception itself; if there are several translations, the innermost is asked first. A
   * {@link StatusException} that was created to end the call is not translated, because it is a
   * status already. But the function gets that of a {@linkplain StatusException#failedCall failed
   * call} that the handler made.
   *
   * @param translation gets each exception, also errors; may run on several threads at once
   */
  static ServerInterceptor translating(
      Function<? super Throwable, Optional<StatusException>> translation) {
    return new TranslatedExceptions(Objects.requireNonNull(translation, "translation"));
  }

  /**
   * The service with interceptors in front of each method. The first of the list is the outermost:
   * it sees a call first, and the call's end last.
   */
  static ServerServiceDefinition intercept(
      ServerServiceDefinition service, List<ServerInterceptor> interceptors) {
    return service.map(method -> InterceptedHandler.around(method, interceptors));
  }
}
