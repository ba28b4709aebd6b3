package dev.gannet.api.engine;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the threads that wait for what an event loop reads. Virtual threads for which there is news
 * in one batch are woken together, by another virtual thread: an event loop is a platform thread,
 * and each virtual thread that it wakes itself has to be submitted to their scheduler from outside
 * (ADR 67).
 *
 * <p>Platform threads are woken at once, and so are virtual threads outside of a batch, and the
 * threads of a batch that has only a few.
 *
 * <p>Before Java 24 each thread is woken at once: a virtual thread that waits in a {@code
 * synchronized} block keeps its carrier there (JEP 491), so the one that is to wake it may get
 * none. That is too common to rely on {@link OffLoop#startLeft}.
 *
 * <p>Confined to the thread of the event loop.
 */
public final class WakeUps {
  /** A batch with no more threads than this is not worth another thread. */
  static final int FEW = 4;

  /** When so many threads wait to be woken, they are, although the batch goes on. */
  static final int MOST = 64;

  /** Whether virtual threads are woken together. */
  static final boolean TOGETHER = Runtime.version().feature() >= 24;

  private static final Thread.Builder.OfVirtual WAKERS =
      Thread.ofVirtual().name("gannet-waker").inheritInheritableThreadLocals(false);

  private final OffLoop offLoop;
  private final @Nullable Thread[] gathered = new Thread[MOST];
  private int count;
  private boolean inBatch;

  /** Wake-ups of a loop that is in no batch and leaves work to other threads by this object. */
  public WakeUps(OffLoop offLoop) {
    this.offLoop = offLoop;
  }

  /** From now on virtual threads are woken together. */
  public void beginBatch() {
    inBatch = true;
  }

  /** Wakes those that have not been woken yet. */
  public void endBatch() {
    inBatch = false;
    wakeAll();
  }

  /**
   * Wakes a parked thread, now or at the end of the batch; one that is not parked will not park.
   */
  public void wake(Thread waiting) {
    if (!inBatch || !TOGETHER || !waiting.isVirtual()) {
      LockSupport.unpark(waiting);
      return;
    }
    gathered[count++] = waiting;
    if (count == MOST) {
      wakeAll();
    }
  }

  private void wakeAll() {
    int threads = count;
    count = 0;
    if (threads <= FEW || !startWaker(threads)) {
      unparkAll(gathered, threads);
    }
    Arrays.fill(gathered, 0, threads, null);
  }

  /** Whether it could be started: there may be no memory. */
  private boolean startWaker(int threads) {
    try {
      @Nullable Thread[] all = Arrays.copyOf(gathered, threads);
      return offLoop.tryLeave(WAKERS, () -> unparkAll(all, threads));
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private static void unparkAll(@Nullable Thread[] threads, int count) {
    for (int i = 0; i < count; i++) {
      LockSupport.unpark(threads[i]);
    }
  }
}
