package dev.gannet.api;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * One call as its server sees it.
 *
 * <p>Order of sending: {@link #sendHeaders} at most once, messages, {@link #close} once. Only
 * {@link #request}, {@link #isReady}, {@link #isCancelled} and {@link #end} may be called from
 * several threads at once. For applications to implement; new methods will have a default. {@link
 * ForwardingServerCall} is the base class for calls of interceptors.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ServerCall<Q, R> {
  /**
   * Receives the events of a call, on one thread at a time: {@link #onReady} first, requests as
   * they were requested, then {@link #onHalfClose}; and exactly one of {@link #onCancel} and {@link
   * #onComplete}, last.
   *
   * <p>An event may be delivered inside another one: blocking methods run inside an event, and
   * while they wait, further events are delivered within it, on the same thread ({@link
   * ServerCall#awaitEvent}). A method with one request runs inside {@link #onHalfClose}, one that
   * reads a stream inside the first {@link #onReady}. So a listener that wraps another one must
   * forward every event; and if it sets thread-local state for an event, it must restore the
   * previous state afterwards instead of clearing it: {@link ServerInterceptor#around} does so.
   *
   * <p>A {@link StatusException} ends the call with its status; any other exception ends it with
   * {@link Status.Code#UNKNOWN} and is not shown to the peer. For applications to implement; new
   * methods will have a default.
   */
  interface Listener<Q> {
    /**
     * More can be sent: called once at the start, and whenever {@link ServerCall#isReady} becomes
     * true again.
     */
    default void onReady() {}

    /** A request message, one for each that {@link ServerCall#request} allowed. */
    default void onMessage(Q message) {}

    /** The client has sent all its messages. */
    default void onHalfClose() {}

    /**
     * The call ended before its response was delivered: it was cancelled, timed out or {@linkplain
     * ServerCall#end ended by the server}, or the connection was lost.
     */
    default void onCancel() {}

    /** Everything was written to the network and the call is over. */
    default void onComplete() {}
  }

  /** The called method, as the service was added with it. */
  MethodDescriptor<Q, R> method();

  /** The caller, deadline and metadata of the call. */
  CallContext context();

  /**
   * Allows this number of further request messages to be delivered. They are delivered where the
   * {@link Dispatch} of the method runs its calls, not by the thread that calls this, except in
   * process with {@link Dispatch#inline()}. Does nothing after the call has ended.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  void request(int messages);

  /**
   * Sends response headers; at most once, and before any message. If it is not called, empty
   * headers are sent automatically. Does nothing after the call has ended without them.
   *
   * @throws NullPointerException if the headers are null
   * @throws IllegalStateException if headers or a message were sent; that alone does not end the
   *     call
   */
  void sendHeaders(Metadata headers);

  /** Whether response headers or a message were sent. */
  boolean hasSentHeaders();

  /**
   * Whether stubs call {@link #sendHeaders} before the first message even if there are no headers,
   * so that interceptors can see and change them. The default is right for the calls of
   * interceptors: until headers were sent. Only the server's own call always returns false, because
   * it sends empty headers by itself.
   */
  default boolean expectsHeaders() {
    return !hasSentHeaders();
  }

  /**
   * Sends one response message. Never blocks. After the call was closed or cancelled, it does
   * nothing, whatever it is given.
   *
   * <p>A message that cannot be sent ends the call with the status that is thrown: {@link
   * Status.Code#INTERNAL} for null, for a message that is one more than the method allows, and for
   * one that its marshaller or compressor cannot write; {@link Status.Code#RESOURCE_EXHAUSTED} for
   * one over a limit of this side. {@link ClientCall#sendMessage} has the same rule. Inside an
   * event of the listener, the call ends with the event, as with every exception of a handler; if
   * the exception is caught, the call still cannot be closed with {@code OK}: it ends with that
   * status then.
   *
   * @throws StatusException if the message cannot be sent
   * @throws Error if a marshaller does; the call ends with a failure
   */
  void sendMessage(R message);

  /**
   * Ends the call. The second and later calls of this method do nothing, also after the call was
   * cancelled.
   *
   * @throws NullPointerException if the status or the trailers are null
   */
  void close(Status status, Metadata trailers);

  /**
   * Ends the call with the {@linkplain CallContext#responseTrailers trailers of its context}, as
   * stubs do. The call of an interceptor gets it as {@link #close(Status, Metadata)}.
   */
  default void close(Status status) {
    close(status, context().responseTrailers());
  }

  /**
   * Ends the call with this status and these trailers while its handler runs: because its token has
   * expired, say, or its user is not welcome any more. Any thread. Does nothing if the call was
   * closed, has failed or was cancelled before; after it, {@link #close} and {@link #fail} do
   * nothing, and what the handler throws changes nothing and is not logged as a fault.
   *
   * <p>For the handler this is a cancellation, as if a deadline had passed: {@link #isCancelled} is
   * true, {@link CallContext#cancellation} is this status, the actions of {@link
   * CallContext#onCancelled} run, the calls that the handler has made are cancelled, it is
   * interrupted if it runs on one of the server's virtual threads, and the listener gets {@link
   * Listener#onCancel}. The call counts as a concurrent one until the handler has returned.
   *
   * <p>The client gets the messages of a stream that were sent before, and then this status. If the
   * call ends by something else at the same time, such as its deadline, the client may get that
   * status instead. Interceptors further outside see this method of their calls, and not {@link
   * #close}.
   *
   * <p>The default closes the call, which is not for several threads and cancels no handler: a call
   * that wraps another one forwards this method.
   *
   * @throws IllegalArgumentException if the status is {@code OK}: only the handler knows whether
   *     the response is complete
   * @throws NullPointerException if the status or the trailers are null
   */
  @Preview(until = "0.3")
  default void end(Status status, Metadata trailers) {
    if (status.isOk()) {
      throw new IllegalArgumentException(
          "a call cannot be ended with OK while its handler runs; the handler closes it with OK");
    }
    close(status, trailers);
  }

  /**
   * Ends the call with the status of this exception, and logs it, as if a method of its listener
   * had thrown it and no interceptor had caught it: for handlers that continue on other threads.
   * Does nothing if the call was already answered.
   *
   * <p>The call of an interceptor closes itself with {@link #closeWith}, and passes the exception
   * on to the call that it wraps, which logs it; {@link ForwardingServerCall} does so.
   */
  void fail(Throwable thrown);

  /**
   * Closes a call with the status and trailers that an exception of its handler means: those of a
   * {@link StatusException} that the handler created or an interceptor {@linkplain
   * ServerInterceptor#translating translates} it to, or else {@link Status.Code#UNKNOWN}. Unlike
   * {@link #fail}, it logs nothing. Does nothing if an exception that is no status comes after the
   * call was cancelled, or after its deadline: then the server knows the status. For stubs.
   */
  static void closeWith(ServerCall<?, ?> call, Throwable thrown) {
    ThrownByHandler.close(call, thrown);
  }

  /** Whether a message sent now would be written soon instead of being queued. */
  boolean isReady();

  /**
   * Whether the call has ended without its response, or with one that did not come from its
   * handler.
   */
  boolean isCancelled();

  /**
   * Compresses responses with this encoding if the client accepts it; must be called before headers
   * are sent: an interceptor's call calls it in {@link #sendHeaders} at the latest.
   *
   * @throws IllegalArgumentException if this side does not know the encoding
   * @throws IllegalStateException if headers or a message were sent
   */
  void setCompression(String encoding);

  /** Whether messages from now on are compressed, if the call uses compression; on at first. */
  void setMessageCompression(boolean enabled);

  /**
   * Blocks until the condition is true or the call was answered. Meanwhile this thread delivers
   * further events of this call to its listener, and checks the condition after each. For handlers
   * in blocking code: call it inside a method of the listener, or on a thread for which such a
   * method waits. Anywhere else it ends the call with {@code INTERNAL}.
   *
   * @throws InterruptedException if the thread was interrupted, which happens when the call is
   *     cancelled
   * @throws IllegalStateException if the call runs inline on the event loop, which must not block
   */
  void awaitEvent(BooleanSupplier until) throws InterruptedException;

  /**
   * Like {@link #awaitEvent(BooleanSupplier)}, with a timeout: returns after it even if the
   * condition is not true.
   *
   * @throws InterruptedException if the thread was interrupted
   * @throws IllegalStateException if the call runs inline on the event loop, which must not block
   */
  void awaitEvent(BooleanSupplier until, Duration atMost) throws InterruptedException;
}
