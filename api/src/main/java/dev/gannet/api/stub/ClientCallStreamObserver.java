package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a call, and its controls: readiness, requests for responses, and cancellation;
 * also what its server sends besides messages: headers and trailers. The contract is that of
 * grpc-java's type of this name, which has no metadata.
 *
 * <p>{@link #request}, {@link #isReady}, {@link #cancel} and the methods of {@link
 * ResponseMetadata} may be called by any thread; the other methods by one thread at a time. Only
 * implemented by Gannet; methods may be added.
 *
 * @param <T> the request message
 */
public interface ClientCallStreamObserver<T> extends StreamObserver<T>, ResponseMetadata {
  /**
   * Cancels the call, whose response observer gets {@code onError} with {@code CANCELLED}. Does
   * nothing after its end.
   *
   * @param message for the observer; not sent
   * @param cause the reason, if any
   */
  void cancel(@Nullable String message, @Nullable Throwable cause);

  /**
   * Whether a message sent now would be written soon. {@link #onNext} never blocks, so sending
   * while this is false uses more and more memory.
   */
  boolean isReady();

  /**
   * Sets the action that is run each time {@link #isReady} becomes true; on the call's executor,
   * and never at the same time as the response observer.
   *
   * @throws IllegalStateException outside {@link ClientResponseObserver#beforeStart}
   */
  void setOnReadyHandler(Runnable onReadyHandler);

  /**
   * Responses are only delivered as {@link #request} requests them; otherwise they are requested
   * automatically, one at a time.
   *
   * @param request how many are requested at the start; 0 or more
   * @throws IllegalStateException outside {@link ClientResponseObserver#beforeStart}
   */
  void disableAutoRequestWithInitial(int request);

  /**
   * Requests more responses.
   *
   * @param count at least 1
   * @throws IllegalStateException inside {@link ClientResponseObserver#beforeStart}, where {@link
   *     #disableAutoRequestWithInitial} sets the number
   */
  void request(int count);

  /**
   * The response headers; never blocks. Empty until they have arrived, which is before the first
   * response, and if the call ended without them.
   */
  @Override
  Metadata headers();

  /** Whether messages from now on are compressed, if the call uses compression. */
  void setMessageCompression(boolean enable);
}
