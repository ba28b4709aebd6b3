package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Registration;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Actions that run when something happens, for example when a call is cancelled: each runs once,
 * whether it is added before or afterwards, in the order in which they were added. Safe for all
 * threads, and without a lock: event loops would have to wait for virtual threads that have no
 * processor.
 */
final class PendingActions {
  private static final Logger LOG = System.getLogger(PendingActions.class.getName());

  private final ConcurrentSkipListMap<Long, Runnable> waiting = new ConcurrentSkipListMap<>();
  private final AtomicLong added = new AtomicLong();
  private final String occasion;
  private volatile boolean fired;

  /** Actions for this occasion; the text is for the log. */
  PendingActions(String occasion) {
    this.occasion = occasion;
  }

  Registration add(Runnable action) {
    Long key = added.getAndIncrement();
    waiting.put(key, action);
    // write-then-check with fire: the action first, then fired; who removes it runs it
    if (fired && waiting.remove(key) != null) {
      run(action);
    }
    return () -> waiting.remove(key);
  }

  /** Whether the occasion has come. */
  boolean areFired() {
    return fired;
  }

  /** The occasion has come: runs the actions. */
  void fire() {
    fired = true; // write-then-check with add: fired first, then the actions
    Map.Entry<Long, Runnable> next = waiting.pollFirstEntry();
    while (next != null) {
      run(next.getValue());
      next = waiting.pollFirstEntry();
    }
  }

  /** Users' code: if one action throws, the others run nevertheless. */
  private void run(Runnable action) {
    try {
      CallContext.runDetached(action);
    } catch (Throwable e) {
      GuardedLog.warn(LOG, "an action for " + occasion + " threw an exception", e);
    }
  }
}
