package dev.gannet.client;

import dev.gannet.transport.ClientStream;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a caller orders, on its way to the call's stream: straight on once there is one, kept in
 * order until then.
 *
 * <p>The lock is taken only while there is no stream: by the caller who orders, and by whoever
 * brings the stream.
 */
final class HeldOrders<Q> {
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ArrayDeque<Consumer<ClientStream<Q>>> held;
  private boolean dropped;
  private volatile @Nullable ClientStream<Q> stream;

  /** Where orders go, once they go somewhere. */
  Optional<ClientStream<Q>> stream() {
    return Optional.ofNullable(stream);
  }

  /** Whether orders need not wait any more: there is a stream, or there will be none. */
  boolean isLedOn() {
    lock.lock();
    try {
      return stream != null || dropped;
    } finally {
      lock.unlock();
    }
  }

  void send(Q message, boolean compressed) {
    ClientStream<Q> to = stream;
    if (to != null) {
      to.send(message, compressed);
    } else {
      hold(later -> later.send(message, compressed));
    }
  }

  void halfClose() {
    ClientStream<Q> to = stream;
    if (to != null) {
      to.halfClose();
    } else {
      hold(ClientStream::halfClose);
    }
  }

  void flush() {
    ClientStream<Q> to = stream;
    if (to != null) {
      to.flush();
    } else {
      hold(ClientStream::flush);
    }
  }

  private void hold(Consumer<ClientStream<Q>> order) {
    lock.lock();
    try {
      ClientStream<Q> to = stream;
      if (to != null) {
        order.accept(to);
      } else if (!dropped) {
        queue().add(order);
      }
    } finally {
      lock.unlock();
    }
  }

  private ArrayDeque<Consumer<ClientStream<Q>>> queue() {
    if (held == null) {
      held = new ArrayDeque<>();
    }
    return held;
  }

  /**
   * Plays what was held to the stream, and leads on to it from here on; false if the call has ended
   * before.
   */
  boolean leadTo(ClientStream<Q> to) {
    lock.lock();
    try {
      if (dropped) {
        return false;
      }
      try {
        play(to);
      } finally {
        stream = to; // only now, so that no later order overtakes one that was held
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Forgets what was held and takes no more; false if there is a stream, or this was done before.
   */
  boolean drop() {
    lock.lock();
    try {
      if (stream != null || dropped) {
        return false;
      }
      dropped = true;
      held = null;
      return true;
    } finally {
      lock.unlock();
    }
  }
}
