package dev.gannet.api.stub;

/**
 * A call that sends a stream and gets one response. {@link #close} cancels it unless it was
 * finished.
 *
 * <p>A server may answer before the stream has ended. Then {@link #send} throws, with {@code
 * CANCELLED} if the call succeeded, and {@link #finish} still returns the response. For
 * applications to implement; new methods will have a default.
 */
public interface ClientStreamingCall<Q, R> extends Outgoing<Q>, ResponseMetadata, AutoCloseable {
  /**
   * Ends the stream and blocks until the response has arrived. Call it once.
   *
   * @throws dev.gannet.api.StatusException if the call failed, or this thread was interrupted
   * @throws IllegalStateException if the response was already returned
   */
  R finish();

  @Override
  void close();
}
