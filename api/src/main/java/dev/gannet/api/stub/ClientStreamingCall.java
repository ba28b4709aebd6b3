package dev.gannet.api.stub;

/**
 * A call that sends a stream and is answered by one message. {@link #close} cancels it unless it
 * was finished.
 *
 * <p>A server may answer before the stream has ended. Then {@link #send} throws, with {@code
 * CANCELLED} where the answer is a good one, and {@link #finish} still gives it.
 */
public interface ClientStreamingCall<Q, R> extends Outgoing<Q>, ResponseMetadata, AutoCloseable {
  /**
   * Ends the stream and blocks until the answer is there. Once.
   *
   * @throws dev.gannet.api.StatusException if the call did not end well, or this thread was
   *     interrupted
   * @throws IllegalStateException if the answer was given before
   */
  R finish();

  @Override
  void close();
}
