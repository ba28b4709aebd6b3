package dev.gannet.api;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Actions for an event that happens at most once: each runs once, without a current call. */
final class OneTimeActions {
  private final ConcurrentSkipListMap<Long, Runnable> actions = new ConcurrentSkipListMap<>();
  private final AtomicLong added = new AtomicLong();
  private volatile boolean due;

  /** Adds an action; after the event it runs now. Closing the registration removes it. */
  Registration add(Runnable action) {
    Long key = added.getAndIncrement();
    actions.put(key, action);
    if (due) { // write-then-check with run: the action first, then due
      runAll();
    }
    return () -> actions.remove(key);
  }

  /**
   * The event happens: runs all actions in their order, also if one of them throws.
   *
   * @throws RuntimeException or an Error: the first that an action has thrown
   */
  void run() {
    due = true; // write-then-check with add: due first, then the actions
    runAll();
  }

  private void runAll() {
    Throwable first = null;
    for (var next = actions.pollFirstEntry(); next != null; next = actions.pollFirstEntry()) {
      try {
        CurrentCall.runDetached(next.getValue());
      } catch (RuntimeException | Error e) {
        first = firstOf(first, e);
      }
    }
    if (first instanceof RuntimeException thrown) {
      throw thrown;
    }
    if (first instanceof Error thrown) {
      throw thrown;
    }
  }

  private static Throwable firstOf(@Nullable Throwable first, Throwable next) {
    if (first == null || first.equals(next)) { // an exception cannot suppress itself
      return next;
    }
    first.addSuppressed(next);
    return first;
  }
}
