package dev.gannet.api.stub;

/**
 * Receives a stream of messages. For responses, applications implement it; for requests, the call
 * provides it. The contract is that of grpc-java's type of this name.
 *
 * <p>Not safe for concurrent use: its methods must be called one at a time. For applications to
 * implement; new methods will have a default.
 *
 * @param <T> the message
 */
public interface StreamObserver<T> {
  /** The next message. Never called after {@link #onError} or {@link #onCompleted}. */
  void onNext(T value);

  /**
   * The stream has failed; nothing follows. An application's observer gets a {@link
   * dev.gannet.api.StatusException}; if an application calls this method, the call is cancelled.
   */
  void onError(Throwable t);

  /** The stream has ended successfully; nothing follows. */
  void onCompleted();
}
