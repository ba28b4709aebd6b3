package dev.gannet.server.call;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs each task on a virtual thread of its own. The thread has the context class loader of the
 * creator of this object, and no thread-locals of any other thread. Safe for all threads.
 */
public final class NewHandlerThreads implements Executor {
  private static final Thread.Builder THREADS =
      Thread.ofVirtual().name("gannet-handler").inheritInheritableThreadLocals(false);

  private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();

  /**
   * Starts a thread that runs the task.
   *
   * @throws RejectedExecutionException if no thread can be started
   */
  @Override
  public void execute(Runnable task) {
    try {
      Thread thread = THREADS.unstarted(task);
      thread.setContextClassLoader(classLoader);
      thread.start();
    } catch (Throwable e) {
      throw new RejectedExecutionException("no thread can be started", e);
    }
  }
}
