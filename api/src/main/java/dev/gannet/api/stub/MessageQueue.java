package dev.gannet.api.stub;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;

/**
 * Messages that were delivered and not yet read, and how many more to ask for. Read by one thread,
 * filled by another.
 */
final class MessageQueue<T> {
  /**
   * How many messages are asked for at a time: enough to spare the asking, few enough to stay
   * small.
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
