package dev.gannet.server.call;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Virtual threads that run tasks one after the other, while there are any.
 *
 * <p>No task waits for one that blocks. While tasks wait there is a <b>spare</b> thread: one that
 * was started and has not taken a task yet. A thread that takes a task and leaves others in the
 * queue starts the next one. If more threads are busy than there are processors, some are blocked;
 * then there are as many spares as busy threads, which is almost one thread per task. But if tasks
 * are short and many, a few threads run them all.
 *
 * <pre>
 *   execute ──► waiting ──► a spare thread, or one that has just ended its task
 * </pre>
 *
 * <p>A thread starts each task without an interrupt, with the context class loader of the creator
 * of this object, and with the thread-locals that the previous task has left.
 */
public final class HandlerThreads implements Executor {
  /** After this many tasks a thread yields, so that other virtual threads get the processor. */
  private static final int TASKS_OF_A_TURN = 16;

  private static final Thread.Builder THREADS =
      Thread.ofVirtual().name("gannet-handler").inheritInheritableThreadLocals(false);

  private final int processors = Runtime.getRuntime().availableProcessors();
  private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger spares = new AtomicInteger();
  private final AtomicInteger atWork = new AtomicInteger();

  /**
   * Runs the task soon.
   *
   * @throws RejectedExecutionException if no thread can be started, and none will take the task. If
   *     a task relied on a thread which another caller could not start, it is not rejected, and
   *     waits for the next free thread
   */
  @Override
  public void execute(Runnable task) {
    waiting.add(task); // write-then-check with work: the task first, then the spares
    try {
      startSpare();
    } catch (Throwable e) {
      boolean refused = waiting.remove(task);
      leaveOthersTheirSpare(); // a caller that saw the expected spare has not started another one
      if (refused) {
        throw new RejectedExecutionException("no thread can be started", e);
      }
    }
  }

  private void startSpare() {
    int busy = atWork.get();
    int most = busy > processors ? busy : 1;
    int now = spares.get();
    while (now < most) {
      if (spares.compareAndSet(now, now + 1)) {
        start();
        return;
      }
      now = spares.get();
    }
  }

  private void start() {
    boolean started = false;
    try {
      THREADS.start(this::work);
      started = true;
    } finally {
      if (!started) {
        spares.decrementAndGet();
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the yield is only for fairness
  private void work() {
    // write-then-check with execute: one spare less first, then the tasks; a caller that adds a
    // task and still sees this spare thread starts no other
    spares.decrementAndGet();
    int tasks = 0;
    for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
      run(task);
      if (++tasks % TASKS_OF_A_TURN == 0) {
        Thread.yield();
      }
    }
  }

  private void run(Runnable task) {
    atWork.incrementAndGet();
    Thread.currentThread().setContextClassLoader(classLoader);
    try {
      leaveOthersTheirSpare();
      task.run();
    } finally {
      atWork.decrementAndGet();
      Thread.interrupted(); // it was for that task, or its own
    }
  }

  private void leaveOthersTheirSpare() {
    if (waiting.isEmpty()) {
      return;
    }
    try {
      startSpare();
    } catch (Throwable e) {
      // The others wait for the next thread that is free, or can be started.
    }
  }
}
