package dev.gannet.api;

import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * One call as its caller sees it: an outgoing stream of requests, an incoming stream of responses,
 * one end.
 *
 * <p>Order: {@link #start} once, then any number of {@link #sendMessage} and {@link #request}, then
 * {@link #halfClose}. Only {@link #cancel}, {@link #request} and {@link #isReady} may be called
 * from several threads at once. For applications to implement; new methods will have a default.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ClientCall<Q, R> {
  /**
   * Receives the events of a call, one at a time, on the call's executor: at most one {@link
   * #onHeaders}, messages as they were requested, and {@link #onClose} exactly once and last.
   *
   * <p>An exception cancels the call. For applications to implement; new methods will have a
   * default.
   */
  interface Listener<R> {
    /** The response headers arrived; not called if the server sent only trailers. */
    default void onHeaders(Metadata headers) {}

    /** A response message, one for each that {@link ClientCall#request} allowed. */
    default void onMessage(R message) {}

    /** The call ended; trailers are empty if the status was created on this side. */
    default void onClose(Status status, Metadata trailers) {}

    /** {@link ClientCall#isReady} turned from false to true. */
    default void onReady() {}
  }

  /**
   * Starts the call. The headers belong to the call from now on.
   *
   * <p>A call with a single request starts on the network together with that request. Its deadline
   * is watched from then on, and while the call waits for a connection.
   *
   * <p>If this throws, because of an object of the application for example, the call either was not
   * started, and its listener gets no event; or it has ended, and its listener gets the end.
   *
   * @throws IllegalStateException if the call was already started
   */
  void start(Listener<? super R> listener, Metadata headers);

  /**
   * Starts the call without headers. Interceptors see this as {@link #start(Listener, Metadata)}
   * with empty headers; without interceptors no object is made for them.
   *
   * @throws IllegalStateException if the call was already started
   */
  default void start(Listener<? super R> listener) {
    start(listener, new Metadata());
  }

  /**
   * Allows this number of further response messages to be delivered. Does nothing after the call
   * has ended.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  void request(int messages);

  /**
   * Sends one request message. Never blocks: check {@link #isReady} or wait for {@link
   * Listener#onReady} to limit the memory of queued messages. After the call has ended, it does
   * nothing, whatever it is given.
   *
   * <p>A message that cannot be sent ends the call with the status that is thrown: {@link
   * Status.Code#INTERNAL} for null, for a message that is one more than the method allows or
   * follows the half-close, and for one that its marshaller or compressor cannot write; {@link
   * Status.Code#RESOURCE_EXHAUSTED} for one over a limit of this side. {@link
   * ServerCall#sendMessage} has the same rule. Messages are written later while the call waits for
   * a connection, and again for another attempt: then only the listener gets that status.
   *
   * @throws StatusException if the message cannot be sent; it is a {@linkplain
   *     StatusException#failedCall failure of this call}, so a handler that does not catch it does
   *     not send it to its own client
   * @throws Error if a marshaller does; the call ends with {@code INTERNAL}
   */
  void sendMessage(Q message);

  /**
   * Declares that no more requests follow. Does nothing if that was declared, or the call has
   * ended.
   */
  void halfClose();

  /**
   * Ends the call from this side with {@link Status.Code#CANCELLED}, at once. A call that has ended
   * is not changed, and one that is not started yet ends when it is started. The message is for
   * this side's listener and is not sent. Throws nothing of its own.
   */
  void cancel(String message);

  /** Like {@link #cancel(String)}, with the exception that is the reason. */
  void cancel(String message, Throwable cause);

  /**
   * Whether a message sent now would be written soon instead of being queued. False after the end
   * of the call. Before that, true while the server's end of the call waits behind responses that
   * were not requested: messages are dropped then, and nobody waits for a readiness that never
   * comes.
   */
  boolean isReady();

  /** Whether the last delivered response message was compressed. */
  boolean isResponseCompressed();

  /**
   * The address of the server to which the call's current attempt was sent; empty if the attempt
   * has no connection (yet). Stays available after the end. Any thread.
   */
  default Optional<SocketAddress> peer() {
    return Optional.empty();
  }

  /**
   * The TLS session of that connection; empty if {@link #peer} is, and on a plaintext connection.
   * Any thread.
   */
  default Optional<SSLSession> sslSession() {
    return Optional.empty();
  }

  /** Whether messages from now on are compressed, if the call uses compression; on at first. */
  void setMessageCompression(boolean enabled);
}
