package dev.gannet.api.stub;

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
   * A client learns of the end of its call only after it has read the responses that came before
   * it; until then, messages that it sends after the end are dropped.
   *
   * @throws dev.gannet.api.StatusException if the call has ended, or this thread was interrupted
   */
  void send(T message);

  /** Whether {@link #send} would not block now, and the call has not ended. */
  boolean isReady();
}
