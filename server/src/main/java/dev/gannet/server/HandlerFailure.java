package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.transport.LogAllowance;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Ends a call for what its handler threw or did wrong, and logs it. A {@link StatusException} of
 * the handler's own is its answer; of anything else the peer learns no more than that the handler
 * failed, and the log learns the rest.
 */
final class HandlerFailure {
  private static final Logger LOG = System.getLogger(HandlerFailure.class.getName());
  private static final LogAllowance REFUSALS = new LogAllowance(System::nanoTime);

  private HandlerFailure() {}

  static void end(HandlerCall<?, ?> call, Throwable thrown) {
    if (thrown instanceof StatusException own && own.failedCall().isEmpty()) {
      call.fail(own.status(), call.withResponseTrailers(own.trailers()));
      return;
    }
    Level level = call.isCancelled() ? Level.DEBUG : Level.WARNING; // most fail for that
    try {
      Status failed =
          Status.UNKNOWN
              .withDescription(
                  "a handler or interceptor threw an exception; the server's log has it")
              .withCause(thrown);
      call.fail(failed, call.withResponseTrailers(new Metadata())); // causes travel on no wire
    } finally { // last, because a log may throw what the exception's message does
      String name = call.method().fullMethodName();
      LOG.log(
          level,
          "the handler or an interceptor of "
              + name
              + " threw an exception; the client gets UNKNOWN"
              + innerCall(thrown),
          thrown);
    }
  }

  /** A handler waits outside of its call's events, where nothing would wake it. */
  static void endUnheard(HandlerCall<?, ?> call) {
    call.close(
        Status.INTERNAL.withDescription("the handler blocks outside of the callbacks of its call"),
        new Metadata());
    LOG.log(
        Level.WARNING,
        "the handler of "
            + call.method().fullMethodName()
            + " blocks outside of the callbacks of its call: an interceptor started it on another"
            + " thread");
  }

  /** An executor takes no call; one line in a while. */
  static void logRefusal(RejectedExecutionException refusal) {
    long before = REFUSALS.ask();
    if (before != LogAllowance.LEFT_OUT) {
      String rest = before == 0 ? "" : " (" + before + " more refusals were not logged)";
      LOG.log(Level.WARNING, "the executor rejected a call: " + refusal.getMessage() + rest);
    }
  }

  /** Names the call that the handler made itself and whose failure it did not catch. */
  private static String innerCall(Throwable thrown) {
    Optional<String> inner =
        thrown instanceof StatusException status ? status.failedCall() : Optional.empty();
    return inner
        .map(name ->
            ": its own call of "
                + name
                + " failed; throw StatusException.passOn() to give the client that status")
        .orElse("");
  }
}
