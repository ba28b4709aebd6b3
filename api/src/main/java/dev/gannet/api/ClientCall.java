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
 * from several threads at once.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ClientCall<Q, R> {
  /**
   * What happens to a call, told one event at a time on the call's executor: at most one {@link
   * #onHeaders}, messages as they were requested, and {@link #onClose} exactly once and last.
   *
   * <p>A method that throws cancels the call.
   */
  interface Listener<R> {
    /** The response headers arrived; not called when the server answered with trailers alone. */
    default void onHeaders(Metadata headers) {}

    default void onMessage(R message) {}

    /** The call ended; trailers are empty when the status was made on this side. */
    default void onClose(Status status, Metadata trailers) {}

    /** {@link ClientCall#isReady} turned from false to true. */
    default void onReady() {}
  }

  /**
   * Begins the call. The headers belong to the call from here on.
   *
   * <p>A method with a single request has its call begun on the network when that request is sent,
   * all in one; from then on, and while it waits for a connection, it ends by its deadline.
   *
   * @throws IllegalStateException if the call was started before
   */
  void start(Listener<? super R> listener, Metadata headers);

  /** Allows that many more response messages to be delivered; must be positive. */
  void request(int messages);

  /**
   * Sends one request message. Never blocks: ask {@link #isReady} or be told by {@link
   * Listener#onReady} to keep memory bounded. Does nothing once the call has ended.
   */
  void sendMessage(Q message);

  /** Says that no more requests follow. */
  void halfClose();

  /**
   * Ends the call from this side with {@link Status.Code#CANCELLED}, at once; a call that has
   * already ended stays as it is, and one that is not started yet ends at its start. The message is
   * for this side's listener and is not sent.
   */
  void cancel(String message);

  /** As {@link #cancel(String)}, with the exception that made the caller give up. */
  void cancel(String message, Throwable cause);

  /** Whether a message sent now would leave for the network soon instead of piling up here. */
  boolean isReady();

  /** Whether the response message that was delivered last came compressed. */
  boolean isResponseCompressed();

  /**
   * The address of the server that the call's current attempt was sent to; empty while there is no
   * connection for it, and where there never was. Stays as it is after the end. Any thread.
   */
  default Optional<SocketAddress> peer() {
    return Optional.empty();
  }

  /**
   * The TLS session of that connection; empty where {@link #peer} is, and on a plaintext
   * connection. Any thread.
   */
  default Optional<SSLSession> sslSession() {
    return Optional.empty();
  }

  /**
   * Whether messages from here on are compressed, where the call has a compression at all; on at
   * first.
   */
  void setMessageCompression(boolean enabled);
}
