package dev.gannet.api.stub;

/**
 * A stream of messages to the peer. To be written by one thread at a time.
 *
 * <p>That of a server ends when its handler returns, or throws: it is of no use after that.
 *
 * @param <T> the message
 */
public interface Outgoing<T> {
  /**
   * Sends one message; blocks first while more is waiting to leave than the peer and the network
   * take. A client learns of its call's end behind the responses that came before it: while it does
   * not read those, what it sends behind the end leads nowhere.
   *
   * @throws dev.gannet.api.StatusException if the call has ended, or this thread was interrupted
   */
  void send(T message);

  /** Whether {@link #send} would not block now, and the call has not ended. */
  boolean isReady();
}
