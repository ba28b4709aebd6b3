package dev.gannet.server;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The thread that a call's handler is on, so that it can be interrupted there and nowhere else: the
 * thread may serve another call right behind this one.
 *
 * <pre>
 *   nobody ◄──enter, leave──► a thread ──interrupt──► BEING_INTERRUPTED ──► nobody
 * </pre>
 *
 * <p>Threads wait for each other here, but for moments: nobody blocks between two of these steps
 * except inside the handler, and there a thread is on its own.
 */
final class CallThread {
  private static final Thread BEING_INTERRUPTED = Thread.ofVirtual().unstarted(() -> {});
  private static final AtomicReferenceFieldUpdater<CallThread, @Nullable Thread> CURRENT =
      AtomicReferenceFieldUpdater.newUpdater(CallThread.class, Thread.class, "current");

  private volatile @Nullable Thread current;

  /** The handler's thread begins to run. The one before may be about to leave. */
  void enter() {
    while (!CURRENT.compareAndSet(this, null, Thread.currentThread())) {
      Thread.onSpinWait();
    }
  }

  /** It is done for now; no interrupt of this call comes behind this. */
  void leave() {
    if (!CURRENT.compareAndSet(this, Thread.currentThread(), null)) {
      while (BEING_INTERRUPTED.equals(current)) {
        Thread.onSpinWait();
      }
    }
  }

  /** Interrupts the handler's thread, if it runs. Any thread. */
  void interrupt() {
    Thread running = current;
    if (running != null
        && !BEING_INTERRUPTED.equals(running)
        && CURRENT.compareAndSet(this, running, BEING_INTERRUPTED)) {
      try {
        running.interrupt();
      } finally {
        current = null;
      }
    }
  }
}
