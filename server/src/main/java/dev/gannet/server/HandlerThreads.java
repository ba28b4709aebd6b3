package dev.gannet.server;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Virtual threads that run one task after the other, as long as there are any.
 *
 * <p>No task waits for one that blocks. While tasks wait there is a <b>spare</b>: a thread that has
 * been started and has not taken one yet. Whoever takes a task and leaves others behind starts the
 * next. Where more threads are at work than there are processors, some block; then there are as
 * many spares as that, which is almost a thread for each task. But where tasks are short and many,
 * a few threads run them all.
 *
 * <pre>
 *   execute ──► waiting ──► a spare thread, or one that has just ended its task
 * </pre>
 *
 * <p>A thread comes to each task without an interrupt, with the context class loader of whoever
 * made this, and with the thread-locals that the task before has left.
 */
final class HandlerThreads implements Executor {
  /** After so many tasks a thread lets others go first that wait for a processor. */
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
   * @throws RejectedExecutionException if no thread can be started, and none will come to the task;
   *     one that relied on a thread which somebody else could not start is not refused, and waits
   *     for the next that is free
   */
  @Override
  public void execute(Runnable task) {
    waiting.add(task);
    try {
      startSpare();
    } catch (Throwable e) {
      boolean refused = waiting.remove(task);
      leaveOthersTheirSpare(); // who has seen the one that there was to be has not started its own
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

  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on the yield but fairness
  private void work() {
    spares.decrementAndGet(); // before the look: who adds a task and sees a spare relies on it
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
