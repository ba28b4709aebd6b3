package dev.gannet.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Messages and other events of a stream, for threads that wait for them with a timeout. */
final class Recording<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<T> messages = new ArrayList<>();
  private int taken;

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

  /** The next message that was not returned before. */
  T next(Duration atMost, BooleanSupplier over) throws InterruptedException {
    lock.lock();
    try {
      await(() -> taken < messages.size() || over.getAsBoolean(), atMost, "another message");
      if (taken == messages.size()) {
        throw new AssertionError("the stream has ended after " + taken + " messages: " + messages);
      }
      return messages.get(taken++);
    } finally {
      lock.unlock();
    }
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
