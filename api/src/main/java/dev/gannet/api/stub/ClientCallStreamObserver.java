package dev.gannet.api.stub;

import org.jspecify.annotations.Nullable;

/**
 * The requests of a call, and what else its caller steers: readiness, requests for responses, and
 * the end. The contract is that of grpc-java's type of this name.
 *
 * <p>{@link #request}, {@link #isReady} and {@link #cancel} may be called by any thread; the rest
 * by one at a time.
 *
 * @param <T> the request message
 */
public interface ClientCallStreamObserver<T> extends StreamObserver<T> {
  /**
   * Cancels the call, whose response observer gets {@code onError} with {@code CANCELLED}. Does
   * nothing after its end.
   *
   * @param message what the observer is told; not sent
   * @param cause what made the caller give up, if anything
   */
  void cancel(@Nullable String message, @Nullable Throwable cause);

  /**
   * Whether a message sent now would leave for the network soon. {@link #onNext} never blocks, so
   * whoever sends while this is false fills memory.
   */
  boolean isReady();

  /**
   * What is run each time {@link #isReady} turns true; on the call's executor, and never at the
   * same time as the response observer.
   *
   * @throws IllegalStateException outside of {@link ClientResponseObserver#beforeStart}
   */
  void setOnReadyHandler(Runnable onReadyHandler);

  /**
   * Responses are told as {@link #request} asks for them, and not, as otherwise, one after the
   * other.
   *
   * @param request how many are asked for at the start; 0 or more
   * @throws IllegalStateException outside of {@link ClientResponseObserver#beforeStart}
   */
  void disableAutoRequestWithInitial(int request);

  /**
   * Asks for more responses.
   *
   * @param count at least 1
   * @throws IllegalStateException inside {@link ClientResponseObserver#beforeStart}, where {@link
   *     #disableAutoRequestWithInitial} says how many
   */
  void request(int count);

  /** Whether messages from here on are compressed, where the call has a compression at all. */
  void setMessageCompression(boolean enable);
}
