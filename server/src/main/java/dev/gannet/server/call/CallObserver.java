package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.transport.CallAdmission;

/**
 * Follows one call of the engine, and may refuse it when its handler would start. A call may have
 * several observers, each of which implements the steps that it needs. Whatever happens to the
 * call, they are told in this order:
 *
 * <pre>
 *   onBegun ──► admit ──► onStarted ──► onHandlerEnded ──► onAnswered or onCutOff
 *                 │           └── left out if the call ends or is refused before
 *                 └── left out if the call ends or is refused before
 * </pre>
 *
 * <p>{@link #onHandlerEnded} comes after {@link #onCutOff} if the handler of a call that was cut
 * off is still running. Each step is told once at most; {@link #onReceived} and {@link #onSent} are
 * told for each message.
 *
 * <p>"On the loop" means the connection's thread. Observers must not block. What they throw is
 * logged, and the call goes on; only {@link #admit} refuses the call if it throws.
 */
public interface CallObserver {
  /** Makes the observers of a method's calls. For all threads. */
  interface Factory {
    /** The observer of a call that begins; one that keeps nothing may be shared by all calls. */
    CallObserver newObserver();
  }

  /** The call has begun; told before the {@link CallGuard} is asked. On the loop. */
  default void onBegun() {}

  /** A message of the client has arrived; of this size on the network. On the loop. */
  default void onReceived(int wireBytes) {}

  /**
   * Whether the handler may start: the request is complete, or is a stream, and the call was not
   * cancelled. This cannot be pending. After a refusal, the observers after this one are not asked.
   * A limit decides here, because it must learn the end of the calls that it has admitted. On the
   * loop.
   */
  default CallAdmission.Decided admit(CallContext call) {
    return CallAdmission.ADMITTED;
  }

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
