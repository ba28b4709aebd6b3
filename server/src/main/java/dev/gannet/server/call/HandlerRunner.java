package dev.gannet.server.call;

import dev.gannet.transport.CallEvent;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs the handler of a call, and interrupts it: on a virtual thread, on the event loop of the
 * connection, or on a user's executor. Chosen once, when the call arrives, and never changed.
 *
 * <p>{@link #execute} and {@link #interrupt} may be called by any thread; {@link #run} and {@link
 * #deliver} by the thread that runs the handler.
 */
public sealed interface HandlerRunner permits OnVirtualThread, OnEventLoop, OnExecutor {
  /**
   * Runs the task soon on a thread for the handler, or now on this one.
   *
   * @throws RejectedExecutionException if it cannot; a user's executor may throw anything
   */
  void execute(Runnable task, IncomingCall<?, ?> call);

  /** Runs the events of the call that can be delivered, on this thread. */
  default void run(IncomingCall<?, ?> call) {
    call.deliverInContext();
  }

  /** Delivers one event to the handler, on this thread. */
  default void deliver(CallEvent event, IncomingCall<?, ?> call) {
    call.deliver(event);
  }

  /** Interrupts the handler, if it is running on one of the server's threads. */
  default void interrupt() {}

  /**
   * The memory of the handler's own thread while it waits, in bytes; 0 if it has no thread of its
   * own.
   */
  default int memoryBytes() {
    return 0;
  }

  /** Whether the handler may block until its peer does something. */
  default boolean mayBlock() {
    return true;
  }
}
