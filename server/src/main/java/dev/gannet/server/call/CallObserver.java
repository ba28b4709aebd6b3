package dev.gannet.server.call;

import dev.gannet.api.Status;

/**
 * Follows one call of the engine; {@link CallGuard}s may refuse it. A call may have several
 * observers, each of which implements the steps that it needs. Whatever happens to the call, they
 * are told in this order:
 *
 * <pre>
 *   onBegun ──► onStarted ──► onHandlerEnded ──► onAnswered or onCutOff
 *                  └── left out if the call ends or is refused before
 * </pre>
 *
 * <p>{@link #onHandlerEnded} comes after {@link #onCutOff} if the handler of a call that was cut
 * off is still running. Each step is told once at most; {@link #onReceived} and {@link #onSent} are
 * told for each message.
 *
 * <p>"On the loop" means the connection's thread. Observers must not block. What they throw is
 * logged, and the call goes on.
 */
public interface CallObserver {
  /** Makes the observers of a method's calls. For all threads. */
  interface Factory {
    /** The observer of a call that begins; one that keeps nothing may be shared by all calls. */
    CallObserver newObserver();
  }

  /** The call has begun; told before any guard is asked. On the loop. */
  default void onBegun() {}

  /** A message of the client has arrived; of this size on the network. On the loop. */
  default void onReceived(int wireBytes) {}

  /** The handler starts; on its thread. */
  default void onStarted() {}

  /** The handler has sent a message; of this size on the network. On the sending thread. */
  default void onSent(int wireBytes) {}

  /**
   * The handler has answered or failed with this code, or it has returned from a cancelled call, or
   * never started: whichever comes first. Any thread; before the transport gets the answer.
   *
   * @param code CANCELLED if there is no answer
   */
  default void onHandlerEnded(Status.Code code) {}

  /** The call is over: its answer, which has this code, was written to the network. On the loop. */
  default void onAnswered(Status.Code code) {}

  /**
   * The call is over before its answer was written, for this reason. On the loop; before the
   * handler can see it.
   */
  default void onCutOff(Status.Code code) {}
}
