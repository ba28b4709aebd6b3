package dev.gannet.transport;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;

/** Whether a call of a server may go on to its handler. */
public sealed interface CallAdmission {
  /** It may. */
  CallAdmission ADMITTED = new Admitted();

  /** The only object is {@link #ADMITTED}. */
  record Admitted() implements CallAdmission {}

  /** It may not: its handler never starts, and its client gets this status, which is not OK. */
  record Refused(Status status, Metadata trailers) implements CallAdmission {}

  /**
   * Notifies a listener that its call has begun; for transports. A listener that throws refuses its
   * call, because the other calls of the connection must go on.
   */
  static CallAdmission of(CallEventListener begun) {
    try {
      return begun.onBegun();
    } catch (Throwable e) {
      return new Refused(
          Status.INTERNAL.withDescription("the call cannot be started").withCause(e),
          new Metadata());
    }
  }
}
