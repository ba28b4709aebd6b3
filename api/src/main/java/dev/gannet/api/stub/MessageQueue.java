package dev.gannet.api.stub;

import dev.gannet.api.MethodDescriptor;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were delivered and not yet read, and how many more to ask for. Read by one thread,
 * filled by another. A second thread that comes to wait for messages is refused.
 */
final class MessageQueue<T> {
  @SuppressWarnings("rawtypes") // there is no class literal with type arguments
  private static final AtomicReferenceFieldUpdater<MessageQueue, @Nullable Thread> READER =
      AtomicReferenceFieldUpdater.newUpdater(MessageQueue.class, Thread.class, "reader");

  /**
   * How many messages are asked for at a time: enough to spare the asking, few enough to stay
   * small.
   */
  static final int BATCH = 16;

  private final ConcurrentLinkedQueue<T> messages = new ConcurrentLinkedQueue<>();
  private final IntConsumer request;
  private int expected;

  /** Who waits for a message. */
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
   * This thread begins to wait for a message; {@link #endWait} follows.
   *
   * @throws IllegalStateException if another thread waits for one
   */
  void beginWait(MethodDescriptor<?, ?> method) {
    if (!READER.compareAndSet(this, null, Thread.currentThread())) {
      throw new IllegalStateException(
          "two threads read the stream of one "
              + method.fullMethodName()
              + " call: "
              + reader
              + " waits for a message already");
    }
  }

  void endWait() {
    reader = null;
  }

  /** Asks for more messages when all that were asked for have been read. */
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
