package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallContext.Registration;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The actions for the cancellation of one call: each runs once, whether it is added before or
 * afterwards, in the order of adding. Safe for all threads and without a lock: event loops of
 * servers and clients use it, and could wait behind virtual threads that have no processor.
 */
final class CancelActions {
  private static final Logger LOG = System.getLogger(CancelActions.class.getName());

  private final ConcurrentSkipListMap<Long, Runnable> waiting = new ConcurrentSkipListMap<>();
  private final AtomicLong added = new AtomicLong();
  private volatile boolean fired;

  Registration add(Runnable action) {
    Long key = added.getAndIncrement();
    waiting.put(key, action);
    if (fired
        && waiting.remove(key) != null) { // the cancelling thread may already have run all actions
      run(action);
    }
    return () -> waiting.remove(key);
  }

  /** The call is cancelled. */
  void fire() {
    fired = true;
    Map.Entry<Long, Runnable> next = waiting.pollFirstEntry();
    while (next != null) {
      run(next.getValue());
      next = waiting.pollFirstEntry();
    }
  }

  /** Users' code: an exception of one must not prevent the others. */
  private static void run(Runnable action) {
    try {
      CallContext.runDetached(action);
    } catch (Throwable e) {
      LOG.log(Level.WARNING, "an action for the cancellation of a call threw an exception", e);
    }
  }
}
