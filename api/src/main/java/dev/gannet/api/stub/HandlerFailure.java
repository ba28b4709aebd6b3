package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.StatusException;

/** Lets what a handler throws pass through contracts that declare no checked exceptions. */
final class HandlerFailure {
  private HandlerFailure() {}

  /**
   * Throws what a call's handler has thrown, a checked exception as it is, so that the engine sees
   * the same. A status that the handler has made closes the call before, so that interceptors see
   * it in {@link ServerCall#close}; the failure of a call that the handler made does not.
   *
   * @return never; what the caller may throw for the compiler's sake
   */
  static RuntimeException rethrown(ServerCall<?, ?> call, Exception thrown) {
    close(call, thrown);
    throw HandlerFailure.<RuntimeException>unchecked(thrown);
  }

  /** Closes the call if that is a status that its handler has made. */
  static void close(ServerCall<?, ?> call, Throwable thrown) {
    if (thrown instanceof StatusException status && status.failedCall().isEmpty()) {
      Metadata trailers = status.trailers().copy();
      trailers.mergeAbsent(call.context().responseTrailers());
      close(call, status, trailers);
    }
  }

  private static void close(ServerCall<?, ?> call, StatusException thrown, Metadata trailers) {
    try {
      call.close(thrown.status(), trailers);
    } catch (RuntimeException second) {
      if (!second.equals(thrown)) { // as nothing can suppress itself
        thrown.addSuppressed(second);
      }
    }
  }

  // The cast is erased: that is the point.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception thrown) throws E {
    throw (E) thrown;
  }
}
