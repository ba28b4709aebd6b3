package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.StatusException;

/** Lets what a handler throws pass through contracts that declare no checked exceptions. */
final class HandlerFailure {
  private HandlerFailure() {}

  /** A handler's work. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Runs the work of a call's handler. A status that it throws closes the call as the handler has
   * it, so that interceptors see that in {@link ServerCall#close}. Then all that it throws comes
   * out, a checked exception as it is, so that the engine sees what the handler threw.
   */
  static void rethrowing(ServerCall<?, ?> call, Work work) {
    try {
      work.run();
    } catch (StatusException e) {
      Metadata trailers = e.trailers().copy();
      trailers.mergeAbsent(call.context().responseTrailers());
      close(call, e, trailers);
      throw e;
    } catch (Exception e) {
      throw HandlerFailure.<RuntimeException>unchecked(e);
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
