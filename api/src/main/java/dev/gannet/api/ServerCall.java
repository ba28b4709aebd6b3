package dev.gannet.api;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * One call as its server sees it.
 *
 * <p>Order of what is sent: {@link #sendHeaders} at most once, messages, {@link #close} once. Only
 * {@link #request}, {@link #isReady} and {@link #isCancelled} may be called from several threads at
 * once.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ServerCall<Q, R> {
  /**
   * What happens to a call, told on one thread at a time: {@link #onReady} first, requests as they
   * were asked for, then {@link #onHalfClose}; and exactly one of {@link #onCancel} and {@link
   * #onComplete}, last.
   *
   * <p>One event may come inside another: plain methods run inside an event, and where they wait,
   * further events are told within it, on the same thread ({@link ServerCall#awaitEvent}). A method
   * with one request runs inside {@link #onHalfClose}, one that reads a stream inside the first
   * {@link #onReady}. So a listener that wraps another passes on every event, and puts back what it
   * found on the thread, rather than clearing it, when an event is over.
   *
   * <p>A method that throws a {@link StatusException} ends the call with that status; any other
   * exception ends it with {@link Status.Code#UNKNOWN} and tells the peer nothing about itself.
   */
  interface Listener<Q> {
    /**
     * The call can be sent on: told once at its begin, and whenever {@link ServerCall#isReady}
     * turns true again.
     */
    default void onReady() {}

    default void onMessage(Q message) {}

    /** The client has sent all it wanted to send. */
    default void onHalfClose() {}

    /**
     * The call ended without its answer being delivered: cancelled, timed out, or the connection
     * was lost.
     */
    default void onCancel() {}

    /** All that was sent has been handed to the network and the call is over. */
    default void onComplete() {}
  }

  MethodDescriptor<Q, R> method();

  /** Who called, until when, and with which metadata. */
  CallContext context();

  /** Allows that many more request messages to be delivered; must be positive. */
  void request(int messages);

  /**
   * Sends response headers; at most once, and before any message. Sent by themselves empty where
   * this is not called.
   *
   * @throws IllegalStateException if headers or a message were sent
   */
  void sendHeaders(Metadata headers);

  /** Sends one response message. Never blocks; does nothing once the call was cancelled. */
  void sendMessage(R message);

  /** Ends the call. The second and any later close does nothing. */
  void close(Status status, Metadata trailers);

  /**
   * Ends the call as if a method of its listener had thrown that: for handlers whose work goes on
   * on other threads. Does nothing where the call was answered before with something else.
   */
  default void fail(Throwable thrown) {
    if (thrown instanceof StatusException own && own.failedCall().isEmpty()) {
      close(own.status(), own.trailers());
    } else {
      close(
          Status.UNKNOWN.withDescription(
              "a handler or interceptor threw an exception; the server's log has it"),
          new Metadata());
    }
  }

  /** Whether a message sent now would leave for the network soon instead of piling up here. */
  boolean isReady();

  /** Whether the call has ended without its answer, or with one that its handler did not give. */
  boolean isCancelled();

  /**
   * Compresses responses with that encoding if the client accepts it; to be called before headers
   * are sent.
   *
   * @throws IllegalArgumentException if this side does not know the encoding
   * @throws IllegalStateException if headers or a message were sent
   */
  void setCompression(String encoding);

  /**
   * Whether messages from here on are compressed, where the call has a compression at all; on at
   * first.
   */
  void setMessageCompression(boolean enabled);

  /**
   * Blocks until the condition holds or the call was answered, delivering further events of this
   * call to its listener meanwhile, on the calling thread. For handlers that wait for their peer in
   * plain blocking code, from inside a listener's method or from threads that such a method waits
   * for; the condition is asked after each event. Waiting elsewhere ends the call with {@code
   * INTERNAL}.
   *
   * @throws InterruptedException if the thread was interrupted, as it is when the call is cancelled
   * @throws IllegalStateException if the call runs inline on the event loop, which must not block
   */
  void awaitEvent(BooleanSupplier until) throws InterruptedException;

  /**
   * As {@link #awaitEvent(BooleanSupplier)}, but returns after that time although the condition
   * does not hold. A call that knows no time waits for the condition.
   *
   * @throws InterruptedException if the thread was interrupted
   * @throws IllegalStateException if the call runs inline on the event loop, which must not block
   */
  default void awaitEvent(BooleanSupplier until, Duration atMost) throws InterruptedException {
    awaitEvent(until);
  }
}
