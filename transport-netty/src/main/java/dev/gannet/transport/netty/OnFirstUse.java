package dev.gannet.transport.netty;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object that is created on first use. If that fails, it is tried again the next time, whereas a
 * class that failed to initialize would stay so for the life of the JVM. Safe for all threads.
 */
final class OnFirstUse<T> {
  private final Supplier<T> maker;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable T made;

  OnFirstUse(Supplier<T> maker) {
    this.maker = maker;
  }

  T get() {
    T there = made;
    return there != null ? there : make();
  }

  private T make() {
    lock.lock();
    try {
      T there = made;
      if (there == null) {
        there = maker.get();
        made = there;
      }
      return there;
    } finally {
      lock.unlock();
    }
  }
}
