package dev.gannet.api.engine;

/**
 * Marks the threads of event loops. Whoever waits for a call there may wait for ever: the thread
 * that waits is the one that would bring the answer, and the deadline too. So blocking calls refuse
 * to begin on them. For transports that make such threads.
 */
public interface EventLoopThread {
  /**
   * Sees to it that the calling thread may wait for a call of that method.
   *
   * @param fullMethodName for the text of the exception
   * @throws IllegalStateException if it is an event loop's
   */
  static void refuseToBlock(String fullMethodName) {
    if (Thread.currentThread() instanceof EventLoopThread) {
      throw new IllegalStateException(
          "a blocking call of "
              + fullMethodName
              + " was started on an event loop, which would wait for itself; start it on another"
              + " thread, or use ClientCall");
    }
  }
}
