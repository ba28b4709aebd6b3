package dev.gannet.client.tasks;

import dev.gannet.api.Registration;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * What a policy or a resolver has acquired, and is closed when that ends, also if it is added only
 * then. Safe for all threads.
 *
 * <pre>
 *   OPEN ──close──► CLOSED: nothing is held any more
 * </pre>
 */
public final class HeldResources {
  private enum State {
    OPEN,
    CLOSED
  }

  private static final Logger LOG = System.getLogger(HeldResources.class.getName());

  private final Consumer<Throwable> onThrown;

  /** The newest first. */
  private final Deque<Held> held = new ConcurrentLinkedDeque<>();

  private volatile State state = State.OPEN;

  /**
   * Holds nothing.
   *
   * @param onThrown gets the exception of a resource that is closed before this is CLOSED; later
   *     ones are logged
   */
  public HeldResources(Consumer<Throwable> onThrown) {
    this.onThrown = onThrown;
  }

  /**
   * Holds the resource, or closes it at once if this is CLOSED.
   *
   * @return closes it earlier
   */
  public Registration add(AutoCloseable resource) {
    Held added = new Held(Objects.requireNonNull(resource, "resource"));
    held.addFirst(added);
    if (state == State.CLOSED) { // write-then-check with close: the resource first, then CLOSED
      added.close();
    }
    return added;
  }

  /** Closes all, the newest first, and those that are added later. */
  public void close() {
    state = State.CLOSED; // write-then-check with add: CLOSED first, then the resources
    held.forEach(Held::close);
  }

  private final class Held implements Registration {
    private final AutoCloseable resource;

    Held(AutoCloseable resource) {
      this.resource = resource;
    }

    /** The thread that removes it closes it. */
    @Override
    public void close() {
      if (!held.remove(this)) {
        return;
      }
      try {
        resource.close();
      } catch (Throwable e) { // may be a user's
        report(e);
      }
    }

    private void report(Throwable thrown) {
      if (state == State.OPEN) {
        onThrown.accept(thrown);
      } else {
        GuardedLog.warn(
            LOG, "what a resolver or load-balancing policy held cannot be closed", thrown);
      }
    }
  }
}
