package dev.gannet.api.stub;

/**
 * Receives a stream of messages: responses, as an application's own object, or requests, as the
 * object that a call gives to send on. The contract is that of grpc-java's type of this name.
 *
 * <p>Not safe for several threads at once: whoever tells one something does so one at a time.
 *
 * @param <T> the message
 */
public interface StreamObserver<T> {
  /** The next message. Never called after {@link #onError} or {@link #onCompleted}. */
  void onNext(T value);

  /**
   * The stream has failed; nothing follows. What an application's observer gets is a {@link
   * dev.gannet.api.StatusException}; what it gives to a call cancels that call.
   */
  void onError(Throwable t);

  /** The stream has ended well; nothing follows. */
  void onCompleted();
}
