package dev.gannet.server.call;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handler of one call on the server's virtual threads, and interrupts it only there: the
 * thread may serve another call right afterwards.
 *
 * <pre>
 *   no thread ◄──enter, leave──► a thread ──interrupt──► BEING_INTERRUPTED ──► no thread
 * </pre>
 *
 * <p>Threads wait for each other here only for short times: a thread never blocks between two of
 * these steps, except inside the handler, and there no other thread is involved.
 */
public final class OnVirtualThread implements HandlerRunner {
  /** Measured: 4.5 KiB for a handler that waits for the first message of a stream. */
  private static final int MEMORY_BYTES = 5 << 10;

  /** A thread that waits for longer than this many rounds yields. */
  private static final int MAX_SPINS = 64;

  private static final Thread BEING_INTERRUPTED = Thread.ofVirtual().unstarted(() -> {});
  private static final AtomicReferenceFieldUpdater<OnVirtualThread, @Nullable Thread> CURRENT =
      AtomicReferenceFieldUpdater.newUpdater(OnVirtualThread.class, Thread.class, "current");

  private final Executor threads;
  private volatile @Nullable Thread current;

  /** The runner of a call that has just arrived. */
  public OnVirtualThread(Executor threads) {
    this.threads = threads;
  }

  @Override
  public void execute(Runnable task, IncomingCall<?, ?> call) {
    threads.execute(task);
  }

  @Override
  public void run(IncomingCall<?, ?> call) {
    enter();
    try {
      call.deliverInContext();
    } finally {
      leave();
    }
  }

  /** The handler's thread starts to run. The previous one may still be leaving. */
  void enter() {
    int round = 0;
    while (!CURRENT.compareAndSet(this, null, Thread.currentThread())) {
      await(round++);
    }
  }

  /** The thread stops running the handler; no interrupt of this call follows. */
  void leave() {
    if (!CURRENT.compareAndSet(this, Thread.currentThread(), null)) {
      int round = 0;
      while (BEING_INTERRUPTED.equals(current)) {
        await(round++);
      }
    }
  }

  /** The other thread needs only moments, but it may have lost its processor. */
  @SuppressWarnings("ThreadPriorityCheck") // a yield is right whatever the priorities are
  private static void await(int round) {
    if (round < MAX_SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  @Override
  public int memoryBytes() {
    return MEMORY_BYTES;
  }

  @Override
  public void interrupt() {
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
