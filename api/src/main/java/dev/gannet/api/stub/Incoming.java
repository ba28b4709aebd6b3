package dev.gannet.api.stub;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeoutException;

/**
 * A stream of messages from the peer, read by blocking. Memory stays bounded: what is not read is
 * not sent for long.
 *
 * <p>To be read by one thread at a time, and once: its iterator is the stream itself. A thread that
 * comes to wait while another waits gets an {@link IllegalStateException}. A client that closes it
 * before its end cancels its call. A handler that does reads no more, and its client learns of that
 * when the handler returns.
 *
 * @param <T> the message
 */
public interface Incoming<T> extends Iterable<T>, AutoCloseable {
  /**
   * Blocks until a message is there or the stream has ended well.
   *
   * @throws dev.gannet.api.StatusException if the call ended with any other status than OK, or this
   *     thread was interrupted
   */
  boolean hasNext();

  /**
   * As {@link #hasNext()}, but gives up waiting after that time. The stream stays as it is and can
   * be read on.
   *
   * @param timeout how long to wait at most; 0 or less does not wait. Streams of other makers, in
   *     tests say, may wait as {@link #hasNext()} does
   * @throws TimeoutException if neither a message nor the end has come in time
   * @throws dev.gannet.api.StatusException as {@link #hasNext()}
   */
  default boolean hasNext(Duration timeout) throws TimeoutException {
    return hasNext();
  }

  /**
   * The next message, blocking until it is there.
   *
   * @throws java.util.NoSuchElementException if the stream has ended well
   * @throws dev.gannet.api.StatusException as {@link #hasNext()}
   */
  T next();

  /** Reads no more. Does nothing after the end. */
  @Override
  void close();

  @Override
  default Iterator<T> iterator() {
    return new IncomingIterator<>(this);
  }
}
