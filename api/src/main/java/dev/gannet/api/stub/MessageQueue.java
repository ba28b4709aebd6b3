package dev.gannet.api.stub;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;

/**
 * Messages that were delivered but not yet read, and the demand for more. Read by one thread,
 * filled by another.
 */
final class MessageQueue<T> {
  /**
   * How many messages are requested at a time: enough to request rarely, few enough to use little
   * memory.
   */
  static final int BATCH = 16;

  private final ConcurrentLinkedQueue<T> messages = new ConcurrentLinkedQueue<>();
  private final IntConsumer request;
  private int expected;

  MessageQueue(IntConsumer request) {
    this.request = request;
  }

  void add(T message) {
    messages.add(message);
  }

  boolean isEmpty() {
    return messages.isEmpty();
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
