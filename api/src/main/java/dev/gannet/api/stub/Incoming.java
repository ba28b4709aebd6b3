package dev.gannet.api.stub;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeoutException;

/**
 * A stream of messages from the peer, read by blocking. Memory stays bounded: if messages are not
 * read, the peer soon stops sending.
 *
 * <p>It can be read by one thread at a time, and only once: its iterator is the stream itself. A
 * second thread that would have to wait gets an {@link IllegalStateException}. If a client closes
 * it before its end, its call is cancelled, and it has no more messages: reads and writes fail with
 * {@code CANCELLED}. If a handler does, it reads no more, and its client learns of that when the
 * handler returns. For applications to implement; new methods will have a default.
 *
 * @param <T> the message
 */
public interface Incoming<T> extends Iterable<T>, AutoCloseable {
  /**
   * Blocks until a message is available or the stream has ended successfully.
   *
   * @throws dev.gannet.api.StatusException if the call ended with any other status than OK, or this
   *     thread was interrupted
   */
  boolean hasNext();

  /**
   * Like {@link #hasNext()}, with a timeout. After a timeout the stream can still be read.
   *
   * @param timeout how long to wait at most; 0 or less does not wait
   * @throws TimeoutException if neither a message nor the end has arrived in time
   * @throws dev.gannet.api.StatusException as {@link #hasNext()}
   */
  boolean hasNext(Duration timeout) throws TimeoutException;

  /**
   * The next message; blocks until it is available.
   *
   * @throws java.util.NoSuchElementException if the stream has ended successfully
   * @throws dev.gannet.api.StatusException as {@link #hasNext()}
   */
  T next();

  /** Stops reading. Does nothing after the end. */
  @Override
  void close();

  @Override
  default Iterator<T> iterator() {
    return new IncomingIterator<>(this);
  }
}
