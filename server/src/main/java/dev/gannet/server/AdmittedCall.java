package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.server.call.CallObserver;
import dev.gannet.transport.CallAdmission;
import org.jspecify.annotations.Nullable;

/**
 * A call that an {@link Admission} lets in or refuses. It leaves its place when its handler has
 * answered, or has returned from a cancelled call.
 */
final class AdmittedCall implements CallObserver {
  private final Admission admission;

  /** Null if it was not let in. */
  private volatile Admission.@Nullable Place place;

  /** The deadline or the client has ended the call; its handler may not know yet. */
  private volatile boolean cutOff;

  AdmittedCall(Admission admission) {
    this.admission = admission;
  }

  @Override
  public CallAdmission.Decided admit(CallContext call) {
    return switch (admission.enter(call)) {
      case Admission.Place granted -> {
        place = granted;
        yield CallAdmission.ADMITTED;
      }
      case Admission.Refused refused -> refused.how();
    };
  }

  @Override
  public void onCutOff(Status.Code code) {
    cutOff = true;
  }

  @Override
  public void onHandlerEnded(Status.Code code) {
    Admission.Place left = place;
    if (left != null) {
      left.leave(cutOff ? Admission.Ending.CUT_OFF : endingWith(code));
    }
  }

  /** A handler may notice before the loop that the deadline has passed. */
  private static Admission.Ending endingWith(Status.Code code) {
    return switch (code) {
      case DEADLINE_EXCEEDED, CANCELLED -> Admission.Ending.CUT_OFF;
      default -> Admission.Ending.ANSWERED;
    };
  }
}
