package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallContext.Registration;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done when one call is cancelled: each action once, whether it comes before or
 * after. Safe for all threads.
 */
final class CancelActions {
  private static final Logger LOG = System.getLogger(CancelActions.class.getName());

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<Object, Runnable> waiting = new LinkedHashMap<>();
  private boolean fired;

  Registration add(Runnable action) {
    lock.lock();
    try {
      if (!fired) {
        Object key = new Object();
        waiting.put(key, action);
        return () -> remove(key);
      }
    } finally {
      lock.unlock();
    }
    run(action);
    return () -> {};
  }

  private void remove(Object key) {
    lock.lock();
    try {
      waiting.remove(key);
    } finally {
      lock.unlock();
    }
  }

  /** The call is cancelled. */
  void fire() {
    for (Runnable next = takeNext(); next != null; next = takeNext()) {
      run(next);
    }
  }

  private @Nullable Runnable takeNext() {
    lock.lock();
    try {
      fired = true;
      Map.Entry<Object, Runnable> next = waiting.pollFirstEntry();
      return next == null ? null : next.getValue();
    } finally {
      lock.unlock();
    }
  }

  /** Users' code: what one throws is no reason for the others not to run. */
  private static void run(Runnable action) {
    try {
      CallContext.runDetached(action);
    } catch (Throwable e) {
      LOG.log(Level.WARNING, "what was to be done on cancellation failed", e);
    }
  }
}
