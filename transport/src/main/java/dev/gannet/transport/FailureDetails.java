package dev.gannet.transport;

import dev.gannet.api.CallFailure;
import dev.gannet.api.Status;

/** Which calls get a {@link CallFailure}. */
public final class FailureDetails {
  private FailureDetails() {}

  /**
   * Whether a call that ends with this status gets details: those whose cause may be the way to the
   * server, and those that have some already.
   */
  public static boolean belongTo(Status status) {
    return status.code() == Status.Code.UNAVAILABLE
        || status.code() == Status.Code.DEADLINE_EXCEEDED
        || status.failure().isPresent();
  }
}
