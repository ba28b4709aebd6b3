package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.StatusException;

/** Lets exceptions of handlers pass through methods that declare no checked exceptions. */
final class HandlerFailure {
  private HandlerFailure() {}

  /**
   * Throws the exception of a handler, also a checked one, so that the engine sees it unchanged. If
   * it is a status that the handler has created, the call is closed first, so that interceptors see
   * it in {@link ServerCall#close}; for the failure of a call that the handler made it is not.
   *
   * @return never; only for the compiler
   */
  static RuntimeException rethrown(ServerCall<?, ?> call, Exception thrown) {
    close(call, thrown);
    throw HandlerFailure.<RuntimeException>unchecked(thrown);
  }

  /** Closes the call if the exception is a status that its handler has created. */
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
      if (!second.equals(thrown)) { // an exception cannot suppress itself
        thrown.addSuppressed(second);
      }
    }
  }

  // The cast is erased, so checked exceptions pass.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception thrown) throws E {
    throw (E) thrown;
  }
}
