package dev.gannet.transport;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.lang.System.Logger;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call of a server may go on to its handler.
 *
 * <pre>
 *   Pending ──its check completes──► Pending, Admitted or Refused
 * </pre>
 */
public sealed interface CallAdmission {
  /** The call may go on. */
  Decided ADMITTED = new Admitted();

  /** A final answer: {@link Admitted} or {@link Refused}. */
  sealed interface Decided extends CallAdmission {}

  /** The only object is {@link #ADMITTED}. */
  record Admitted() implements Decided {}

  /**
   * The decision is not known yet. For a transport that is the same as {@link #ADMITTED}: the
   * engine holds the events of the call, and answers it if it is refused ({@link
   * ServerStream#inTurn}).
   *
   * @param check completes when the next decision can be made
   * @param next makes it, from the failure of the check or null; asked once, when it is the turn of
   *     the call
   */
  record Pending(CompletionStage<?> check, Function<@Nullable Throwable, CallAdmission> next)
      implements CallAdmission {}

  /** The call is refused: its handler never starts, its client gets this status, never OK. */
  record Refused(Status status, Metadata trailers) implements Decided {
    private static final Logger LOG = System.getLogger(CallAdmission.class.getName());

    public Refused {
      if (status.isOk()) {
        throw new IllegalArgumentException("a call is not refused with OK");
      }
    }
  }

  /**
   * Notifies a listener that its call has begun; for transports. A listener that throws refuses its
   * call, because the other calls of the connection must go on.
   */
  static CallAdmission of(ServerCallEventListener begun) {
    try {
      return begun.onBegun();
    } catch (Throwable e) {
      return failed(e);
    }
  }

  /** Refuses a call because asking whether it may go on has failed, and logs why. */
  static Refused failed(Throwable why) {
    GuardedLog.warn(Refused.LOG, "a call cannot be started", why);
    return new Refused(
        Status.INTERNAL.withDescription("the call cannot be started").withCause(why),
        new Metadata());
  }
}
