package dev.gannet.api;

import java.util.Optional;

/** Ends a call whose handler or interceptor threw an exception. */
final class ThrownByHandler {
  private ThrownByHandler() {}

  /**
   * Closes the call with the status and the trailers of the exception, so that interceptors see
   * them in {@link ServerCall#close}. Does nothing if the call was cancelled or its deadline has
   * passed, unless the handler created the status itself: the engine knows how such a call ends.
   */
  static void close(ServerCall<?, ?> call, Throwable thrown) {
    try {
      Throwable told = ForwardingServerCall.translated(call, thrown);
      StatusException end = StatusException.thrownByHandler(told);
      CallContext context = call.context();
      if (end.equals(told) || !(call.isCancelled() || isLate(context))) {
        Metadata trailers = end.trailers().copy();
        trailers.mergeAbsent(context.responseTrailers());
        call.close(end.status(), trailers);
      }
    } catch (Throwable second) { // an interceptor's: the engine ends the call all the same
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
