package dev.gannet.api.stub;

import dev.gannet.api.MethodDescriptor;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were delivered but not yet read, and the demand for more. Read by one thread,
 * filled by another. If a second thread waits for messages, it is rejected.
 */
final class MessageQueue<T> {
  @SuppressWarnings("rawtypes") // there is no class literal with type arguments
  private static final AtomicReferenceFieldUpdater<MessageQueue, @Nullable Thread> READER =
      AtomicReferenceFieldUpdater.newUpdater(MessageQueue.class, Thread.class, "reader");

  /**
   * How many messages are requested at a time: enough to request rarely, few enough to use little
   * memory.
   */
  static final int BATCH = 16;

  private final ConcurrentLinkedQueue<T> messages = new ConcurrentLinkedQueue<>();
  private final IntConsumer request;
  private int expected;

  /** The thread that waits for a message. */
  private volatile @Nullable Thread reader;

  MessageQueue(IntConsumer request) {
    this.request = request;
  }

  void add(T message) {
    messages.add(message);
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /**
   * Marks the current thread as the one that waits for a message, until {@link #endWait}.
   *
   * @throws IllegalStateException if another thread waits for a message
   */
  void beginWait(MethodDescriptor<?, ?> method) {
    if (!READER.compareAndSet(this, null, Thread.currentThread())) {
      throw new IllegalStateException(
          "two threads read the same stream of "
              + method.fullMethodName()
              + ": "
              + reader
              + " is already waiting for a message");
    }
  }

  void endWait() {
    reader = null;
  }

  /** Requests more messages when all requested ones have been read. */
  void requestMore() {
    if (expected == 0) {
      expected = BATCH;
      request.accept(BATCH);
    }
  }

  Optional<T> poll() {
    Optional<T> next = Optional.ofNullable(messages.poll());
    if (next.isPresent()) {
      expected--;
    }
    return next;
  }
}
