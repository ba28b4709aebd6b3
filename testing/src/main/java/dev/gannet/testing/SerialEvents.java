package dev.gannet.testing;

import dev.gannet.api.Registration;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Runs the events and timers of a plug-in under test as a channel does: one at a time; what an
 * event causes runs after that event. Timers run by a virtual clock. What the plug-in holds is
 * closed at the end. For one thread.
 *
 * <pre>
 *   OPEN ──close──► CLOSED: nothing runs any more
 * </pre>
 */
final class SerialEvents {
  private enum State {
    IDLE,
    RUNNING,
    CLOSED
  }

  private final VirtualClock clock = VirtualClock.create();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final Deque<Held> held = new ArrayDeque<>();
  private State state = State.IDLE;

  VirtualClock clock() {
    return clock;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Runs an event, after those that were added before it. */
  void run(Runnable event) {
    Objects.requireNonNull(event, "task");
    if (state == State.CLOSED) {
      return;
    }
    waiting.add(event);
    if (state == State.RUNNING) {
      return;
    }
    state = State.RUNNING;
    try {
      for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
        next.run();
      }
    } finally {
      if (state == State.RUNNING) { // an event may have closed it
        state = State.IDLE;
      }
    }
  }

  Registration schedule(Runnable task, Duration delay) {
    Objects.requireNonNull(task, "task");
    long delayNanos = TimeUnit.NANOSECONDS.convert(delay);
    return clock.scheduler().schedule(() -> run(task), delayNanos)::cancel;
  }

  /** Closes the resource at the end, or at once if that is over; or when the result is closed. */
  Registration closeAtEnd(AutoCloseable resource) {
    Held added = new Held(Objects.requireNonNull(resource, "resource"));
    held.addFirst(added);
    if (state == State.CLOSED) {
      added.close();
    }
    return added;
  }

  /**
   * Runs a last event, after those that were added before it, and closes all resources, the newest
   * first. May be called again.
   */
  void close(Runnable last) {
    run(last);
    state = State.CLOSED;
    List.copyOf(held).forEach(Held::close);
  }

  private final class Held implements Registration {
    private final AutoCloseable resource;

    Held(AutoCloseable resource) {
      this.resource = resource;
    }

    @Override
    public void close() {
      if (!held.remove(this)) {
        return;
      }
      try {
        resource.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("a resource of the plug-in cannot be closed: " + e, e);
      }
    }
  }
}
