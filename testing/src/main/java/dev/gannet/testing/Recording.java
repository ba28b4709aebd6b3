package dev.gannet.testing;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Messages and other events of a stream, for threads that wait for them with a timeout. */
final class Recording<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<T> messages = new ArrayList<>();
  private int taken;

  /**
   * How a stream has ended.
   *
   * @param cause what the status was made from
   */
  record End(Status status, Optional<Throwable> cause) {}

  /** An event of the stream. */
  void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void add(T message) {
    change(() -> messages.add(message));
  }

  List<T> messages() {
    lock.lock();
    try {
      return List.copyOf(messages);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next message that was not returned before.
   *
   * @param end of a stream that has ended
   */
  T next(Duration atMost, Supplier<Optional<End>> end) throws InterruptedException {
    lock.lock();
    try {
      await(() -> taken < messages.size() || end.get().isPresent(), atMost, "another message");
      if (taken == messages.size()) {
        throw ended(end.get().orElseThrow());
      }
      return messages.get(taken++);
    } finally {
      lock.unlock();
    }
  }

  private AssertionError ended(End end) {
    String what = "the stream has ended after " + taken + " messages: " + messages;
    return new AssertionError(what + ", with " + end.status(), end.cause().orElse(null));
  }

  void await(BooleanSupplier condition, Duration atMost, String what) throws InterruptedException {
    long leftNanos = TimeUnit.NANOSECONDS.convert(atMost);
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
        if (leftNanos <= 0) {
          throw new AssertionError(
              "not within " + atMost + ": " + what + "; so far there were " + messages);
        }
        leftNanos = changed.awaitNanos(leftNanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
