package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.server.call.InnerCall;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;

/** The refusal of a call by what users' code has thrown when it was asked whether it may go on. */
final class ThrownRefusal {
  private ThrownRefusal() {}

  /**
   * A {@link StatusException} is the refusal, unless it is the failure of another call. Anything
   * else is logged, and the client gets {@code UNKNOWN}.
   *
   * @param who has thrown it, such as "a headers interceptor"
   * @param fullMethodName the method of the call
   */
  static CallAdmission.Refused of(Throwable thrown, String who, String fullMethodName, Logger log) {
    StatusException end = StatusException.thrownByHandler(thrown);
    if (!end.equals(thrown)) {
      GuardedLog.warn(
          log,
          who
              + " threw an exception at a call of "
              + fullMethodName
              + "; the client gets UNKNOWN"
              + InnerCall.named(thrown),
          thrown);
    }
    return end.status().isOk()
        ? new CallAdmission.Refused(
            Status.INTERNAL.withDescription(who + " threw a StatusException with status OK"),
            new Metadata())
        : new CallAdmission.Refused(end.status(), end.trailers());
  }
}
