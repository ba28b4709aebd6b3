package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.transport.CallAdmission;

/**
 * Decides which calls of a method may start their handlers, and learns when they have ended. Asked
 * by the {@link AdmittedCall} of each call. For all threads.
 */
interface Admission {
  /** Whether the call may start; on the connection's loop. */
  Answer enter(CallContext call);

  /** What a call is told that asks to start. */
  sealed interface Answer permits Place, Refused {}

  /** The call may start, and has this place until it leaves. */
  non-sealed interface Place extends Answer {
    /** The call that had this place has ended; called once for each call that was let in. */
    void leave(Ending how);
  }

  /** The call may not start, for this reason. */
  record Refused(CallAdmission.Refused how) implements Answer {}

  /** How a call that was let in has ended. */
  enum Ending {
    /** The handler has answered, or has failed. */
    ANSWERED,
    /** The deadline or the client has ended the call before the handler answered. */
    CUT_OFF
  }
}
