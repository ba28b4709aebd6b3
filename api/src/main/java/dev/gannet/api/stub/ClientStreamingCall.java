package dev.gannet.api.stub;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * A call that sends a stream and gets one response. {@link #close} cancels it unless it was
 * finished.
 *
 * <p>A server may answer before the stream has ended. From then on messages are dropped, and {@link
 * #finish()} returns the response: the call has succeeded, at whatever message the answer comes. A
 * long stream can be ended early by {@link #isAnswered}. If the call has failed, {@link
 * #send(Object) send} throws. For applications to implement; new methods will have a default.
 */
public interface ClientStreamingCall<Q, R> extends Outgoing<Q>, ResponseMetadata, AutoCloseable {
  /**
   * Whether the call has ended, with the response or with a failure, which {@link #finish()}
   * returns or throws; more messages have no effect. Does not wait for the end. False by default,
   * for implementations that cannot know.
   */
  default boolean isAnswered() {
    return false;
  }

  /**
   * Ends the stream and blocks until the response has arrived. Call it once.
   *
   * @throws dev.gannet.api.StatusException if the call failed, or this thread was interrupted
   * @throws IllegalStateException if the response was already returned
   */
  R finish();

  /**
   * Like {@link #finish()}, with a timeout. After a timeout the stream has ended and the call goes
   * on: either method can be called again to wait longer.
   *
   * @param timeout how long to wait at most; 0 or less does not wait
   * @throws TimeoutException if the response has not arrived in time
   * @throws dev.gannet.api.StatusException as {@link #finish()}
   * @throws IllegalStateException as {@link #finish()}
   */
  R finish(Duration timeout) throws TimeoutException;

  @Override
  void close();
}
