package dev.gannet.api;

import java.util.Optional;

/** How a call ends whose handler or interceptor threw an exception. */
final class ThrownByHandler {
  private static final Status UNKNOWN =
      Status.UNKNOWN.withDescription(
          "a handler or interceptor threw an exception; the server's log has it");

  private ThrownByHandler() {}

  /** Whether the exception is a status that the handler itself has created: its response. */
  static boolean isResponse(Throwable thrown) {
    return thrown instanceof StatusException status && status.failedCall().isEmpty();
  }

  /** The status that the client gets: the handler's own, or UNKNOWN with the exception as cause. */
  static Status statusOf(Throwable thrown) {
    return isResponse(thrown)
        ? ((StatusException) thrown).status()
        : UNKNOWN.withCause(thrown); // causes are never sent
  }

  /** The trailers of a status that the handler itself has created; else none. */
  static Metadata trailersOf(Throwable thrown) {
    return isResponse(thrown) ? ((StatusException) thrown).trailers() : new Metadata();
  }

  /**
   * Closes the call with the status and the trailers of the exception, so that interceptors see
   * them in {@link ServerCall#close}. Leaves a call alone that was cancelled, or whose deadline has
   * passed, unless the status is the handler's own: the engine knows how such a call ends.
   */
  static void close(ServerCall<?, ?> call, Throwable thrown) {
    CallContext context = call.context();
    if (!isResponse(thrown) && (call.isCancelled() || isLate(context))) {
      return;
    }
    Metadata trailers = trailersOf(thrown).copy();
    trailers.mergeAbsent(context.responseTrailers());
    try {
      call.close(statusOf(thrown), trailers);
    } catch (RuntimeException second) {
      if (!second.equals(thrown)) { // an exception cannot suppress itself
        thrown.addSuppressed(second);
      }
    }
  }

  private static boolean isLate(CallContext context) {
    Optional<Deadline> deadline = context.deadline();
    return deadline.isPresent() && deadline.get().isExpired();
  }
}
