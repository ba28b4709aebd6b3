package dev.gannet.api.engine;

import java.util.concurrent.locks.LockSupport;

/**
 * Marks the threads of event loops. A thread that waits for a call or a connection there may wait
 * forever, because it would itself have to deliver the response and the deadline. So blocking calls
 * and other blocking methods refuse to start on them. For transports that create such threads.
 */
public interface EventLoopThread {
  /** The way to leave work to other threads. Always the same object; for this thread alone. */
  OffLoop offLoop();

  /** The wake-ups of other threads. Always the same object; for this thread alone. */
  WakeUps wakeUps();

  /** Unparks a thread; if the calling thread is that of an event loop, by its {@link WakeUps}. */
  static void unpark(Thread waiting) {
    if (Thread.currentThread() instanceof EventLoopThread loop) {
      loop.wakeUps().wake(waiting);
    } else {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * Checks that the calling thread may wait for a call.
   *
   * @param fullMethodName for the text of the exception
   * @throws IllegalStateException if it is the thread of an event loop
   */
  static void refuseToBlock(String fullMethodName) {
    if (Thread.currentThread() instanceof EventLoopThread) {
      throw new IllegalStateException(
          "a blocking call of "
              + fullMethodName
              + " cannot be made on the event loop thread "
              + Thread.currentThread().getName()
              + ", because that thread would have to read the response itself: in a handler with"
              + " Dispatch.inline(), use Dispatch.virtualThreads() or an asynchronous call; in a"
              + " listener, set another executor than directExecutor(); CallCredentials complete their"
              + " stage later");
    }
  }

  /**
   * Checks that the calling thread may wait for something other than a call.
   *
   * @param blockingMethod the method that waits, for the text of the exception
   * @throws IllegalStateException if it is the thread of an event loop
   */
  static void refuseToWait(String blockingMethod) {
    if (Thread.currentThread() instanceof EventLoopThread) {
      throw new IllegalStateException(
          blockingMethod
              + " cannot wait on the event loop thread "
              + Thread.currentThread().getName()
              + ", because that thread may have to do what it would wait for: call it on another"
              + " thread");
    }
  }
}
