package dev.gannet.api.engine;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
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
 * <p>A virtual thread that waits with a native frame on its stack, such as that of a class
 * initializer, keeps its carrier. If such threads keep all carriers, the one that is to wake them
 * gets none; so the loop wakes them itself from time to time ({@link #wakeLeft}). Before Java 24 a
 * virtual thread that waits in a {@code synchronized} block keeps its carrier, too, which is too
 * common for that: there each thread is woken at once (JEP 491).
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

  private static final Thread.Builder WAKERS =
      Thread.ofVirtual().name("gannet-waker").inheritInheritableThreadLocals(false);

  private final @Nullable Thread[] gathered = new Thread[MOST];
  private int count;
  private boolean inBatch;

  /** What was left to other threads, oldest first; some may have been woken. */
  private final ArrayDeque<Left> left = new ArrayDeque<>();

  /** Threads that are woken once, by whichever thread takes them first. */
  private static final class Left extends AtomicReference<@Nullable Thread @Nullable []>
      implements Runnable {
    private static final long serialVersionUID = 1;

    Left(@Nullable Thread[] threads) {
      super(threads);
    }

    boolean isWoken() {
      return get() == null;
    }

    @Override
    public void run() {
      @Nullable Thread[] threads = getAndSet(null);
      if (threads != null) {
        unparkAll(threads, threads.length);
      }
    }
  }

  /** Of a loop outside of a batch. */
  public WakeUps() {}

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

  /** Wakes those that were left to other threads, which have not begun yet. */
  public void wakeLeft() {
    left.forEach(Left::run);
    left.clear();
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
      forgetWoken();
      Left batch = new Left(Arrays.copyOf(gathered, threads));
      left.addLast(batch); // first, because another thread that has begun is certain to wake them
      WAKERS.start(batch);
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private void forgetWoken() {
    while (!left.isEmpty() && left.getFirst().isWoken()) {
      left.removeFirst();
    }
  }

  private static void unparkAll(@Nullable Thread[] threads, int count) {
    for (int i = 0; i < count; i++) {
      LockSupport.unpark(threads[i]);
    }
  }
}
