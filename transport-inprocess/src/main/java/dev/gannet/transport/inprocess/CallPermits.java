package dev.gannet.transport.inprocess;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many calls of a connection may be served at once, and which wait for their turn. Safe for all
 * threads.
 *
 * <p>Who waits stands in the queue first and looks for a permit after that, who gives one back
 * looks at the queue after that: one of the two sees the other.
 */
final class CallPermits {
  private final AtomicInteger free;
  private final Queue<ServerEnd<?, ?>> waiting = new ConcurrentLinkedQueue<>();

  CallPermits(int most) {
    free = new AtomicInteger(most);
  }

  /** Begins the call now, or when there is a permit; a call that has ended by then never begins. */
  void begin(ServerEnd<?, ?> call) {
    waiting.add(call);
    beginWaiting();
  }

  /** A call that was begun is over. */
  void giveBack() {
    free.incrementAndGet();
    beginWaiting();
  }

  /** The call needs not wait any more; whether it did, and is the asker's from now on. */
  boolean forget(ServerEnd<?, ?> call) {
    return waiting.remove(call);
  }

  /** One that waits, taken out; null if none does. */
  @Nullable ServerEnd<?, ?> takeWaiting() {
    return waiting.poll();
  }

  private void beginWaiting() {
    while (!waiting.isEmpty() && take()) {
      ServerEnd<?, ?> next = waiting.poll();
      if (next == null) {
        free.incrementAndGet(); // another thread took it, and looks again after us
      } else {
        next.beginWithPermit();
      }
    }
  }

  private boolean take() {
    int now = free.get();
    while (now > 0) {
      if (free.compareAndSet(now, now - 1)) {
        return true;
      }
      now = free.get();
    }
    return false;
  }
}
