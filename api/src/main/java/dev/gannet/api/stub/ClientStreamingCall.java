package dev.gannet.api.stub;

/**
 * A call that sends a stream and is answered by one message. {@link #close} cancels it unless it
 * was finished.
 */
public interface ClientStreamingCall<Q, R> extends Outgoing<Q>, AutoCloseable {
  /**
   * Ends the stream and blocks until the answer is there.
   *
   * @throws dev.gannet.api.StatusException if the call did not end well, or this thread was
   *     interrupted
   */
  R finish();

  @Override
  void close();
}
