package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallContext.Registration;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is to be done when something happens, a call is cancelled, say: each action once, whether it
 * comes before or after, in the order of their coming. Safe for all threads, and without a lock:
 * event loops of servers and of clients come here, and would queue behind virtual threads that have
 * no processor.
 */
final class PendingActions {
  private static final Logger LOG = System.getLogger(PendingActions.class.getName());

  private final ConcurrentSkipListMap<Long, Runnable> waiting = new ConcurrentSkipListMap<>();
  private final AtomicLong added = new AtomicLong();
  private final String occasion;
  private volatile boolean fired;

  /** For that occasion, in words for the log. */
  PendingActions(String occasion) {
    this.occasion = occasion;
  }

  Registration add(Runnable action) {
    Long key = added.getAndIncrement();
    waiting.put(key, action);
    if (fired
        && waiting.remove(key) != null) { // the cancelling thread may already have run all actions
      run(action);
    }
    return () -> waiting.remove(key);
  }

  /** Whether it has happened. */
  boolean areFired() {
    return fired;
  }

  /** It has happened. */
  void fire() {
    fired = true;
    Map.Entry<Long, Runnable> next = waiting.pollFirstEntry();
    while (next != null) {
      run(next.getValue());
      next = waiting.pollFirstEntry();
    }
  }

  /** Users' code: what one throws is no reason for the others not to run. */
  private void run(Runnable action) {
    try {
      CallContext.runDetached(action);
    } catch (Throwable e) {
      LOG.log(Level.WARNING, "an action for " + occasion + " threw an exception", e);
    }
  }
}
