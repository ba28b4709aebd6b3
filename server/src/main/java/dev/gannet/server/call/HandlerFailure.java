package dev.gannet.server.call;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.LogAllowance;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Ends a call because its handler threw an exception or made a mistake, and logs it. A {@link
 * StatusException} that the handler created is its response; for anything else the peer only learns
 * that the handler failed, and the details are logged.
 *
 * <p>After the call's deadline has passed, or the call was cancelled, the status is {@code
 * DEADLINE_EXCEEDED} or {@code CANCELLED}, whatever the handler threw: calls that a handler makes
 * end by the same deadline, possibly a moment before the transport ends the call itself.
 */
final class HandlerFailure {
  private static final Logger LOG = System.getLogger(HandlerFailure.class.getName());
  private static final LogAllowance REJECTIONS = new LogAllowance(System::nanoTime);

  private static final Status LATE =
      Status.DEADLINE_EXCEEDED.withDescription("the handler failed after the deadline had passed");
  private static final Status CANCELLED =
      Status.CANCELLED.withDescription("the call was cancelled before the handler failed");

  private HandlerFailure() {}

  static void end(HandlerCall<?, ?> call, Throwable thrown) {
    if (!call.isAnswered()) {
      if (isLate(call)) {
        endTooLate(call, LATE, thrown);
        return;
      }
      if (call.isCancelled()) {
        endTooLate(call, CANCELLED, thrown);
        return;
      }
    }
    Level level = call.isCancelled() ? Level.DEBUG : Level.WARNING; // it has failed before
    boolean own = false;
    try {
      StatusException end = StatusException.thrownByHandler(thrown);
      own = end.equals(thrown);
      call.fail(end.status(), call.withResponseTrailers(end.trailers()));
    } finally { // last, because logging may throw what the exception's message throws
      if (!own) {
        log(level, call, thrown);
      }
    }
  }

  private static void log(Level level, HandlerCall<?, ?> call, Throwable thrown) {
    String name = call.method().fullMethodName();
    LOG.log(
        level,
        "the handler or an interceptor of "
            + name
            + " threw an exception"
            + outcome(call)
            + InnerCall.named(thrown),
        thrown);
  }

  private static String outcome(HandlerCall<?, ?> call) {
    return call.isAnsweredWithOk()
        ? " after the call was closed with OK"
        : "; the client gets "
            + call.closedWith()
                .or(call::cancellation)
                .map(Status::code)
                .orElse(Status.Code.UNKNOWN);
  }

  private static boolean isLate(HandlerCall<?, ?> call) {
    Optional<Deadline> deadline = call.deadline();
    return deadline.isPresent() && deadline.get().isExpired();
  }

  /** The exception comes too late to be the response. */
  private static void endTooLate(HandlerCall<?, ?> call, Status status, Throwable thrown) {
    try {
      call.fail(status.withCause(thrown), call.withResponseTrailers(new Metadata()));
    } finally {
      String name = call.method().fullMethodName();
      LOG.log(
          Level.DEBUG,
          "the handler or an interceptor of "
              + name
              + " threw an exception after its call had ended; the call's status is "
              + status.code(),
          thrown);
    }
  }

  /**
   * Ends the call of a handler that waits on a thread that delivers no events of the call: it would
   * wait forever.
   */
  static void endStuckHandler(HandlerCall<?, ?> call) {
    call.close(
        Status.INTERNAL.withDescription(
            "the handler waits for a message of its client on a thread on which none can arrive; the"
                + " server's log says what to change"),
        new Metadata());
    LOG.log(
        Level.WARNING,
        "the handler of "
            + call.method().fullMethodName()
            + " waits for a message of its client on a thread on which none can arrive, so it would"
            + " wait forever. Cause: an interceptor called startCall or its listener on another"
            + " thread. It must call both on the thread on which Gannet called the interceptor");
  }

  /**
   * An executor rejects a call, which is ended next: so this throws nothing. The log is
   * rate-limited.
   */
  static void logRejection(String fullMethodName, RejectedExecutionException rejection) {
    String text =
        "the executor rejected a call of "
            + fullMethodName
            + ", which ends with RESOURCE_EXHAUSTED: "
            + ThrowableText.of(rejection);
    REJECTIONS.write("rejections", rest -> GuardedLog.warn(LOG, text + rest));
  }
}
