package dev.gannet.api.stub;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * A stream of messages to the peer. Can be written by one thread at a time.
 *
 * <p>A server's stream ends when its handler returns or throws; it cannot be used afterwards. For
 * applications to implement; new methods will have a default.
 *
 * @param <T> the message
 */
public interface Outgoing<T> {
  /**
   * Sends one message; blocks first while more data is queued than the peer and the network accept.
   * A client learns that the server has ended its call only after it has read the responses that
   * came before; until then, messages that it sends are dropped. It learns of a deadline or a
   * cancellation at once.
   *
   * @throws dev.gannet.api.StatusException if the call has ended, or this thread was interrupted;
   *     or if the message cannot be sent, which ends the call
   */
  void send(T message);

  /**
   * Like {@link #send(Object)}, with a timeout for the wait. After a timeout the message was not
   * sent, and the stream can still be written.
   *
   * @param timeout how long to wait at most; 0 or less does not wait
   * @throws TimeoutException if the queued data was not accepted in time
   * @throws dev.gannet.api.StatusException as {@link #send(Object)}
   */
  void send(T message, Duration timeout) throws TimeoutException;

  /** Whether {@link #send(Object)} would not block now, and the call has not ended. */
  boolean isReady();
}
