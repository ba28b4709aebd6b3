package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.engine.HandlerFailures;

/** Lets exceptions of handlers pass through methods that declare no checked exceptions. */
final class HandlerExceptions {
  private HandlerExceptions() {}

  /**
   * Throws the exception of a handler, also a checked one, so that the listeners of interceptors
   * and the engine see it unchanged. If none of them closes the call, interceptors see its status
   * in {@link ServerCall#close}.
   *
   * @return never; only for the compiler
   */
  static RuntimeException rethrow(ServerCall<?, ?> call, Throwable thrown) {
    boolean closedLater =
        call.context() instanceof HandlerFailures failures
            && failures.onThrown(thrown, last -> ServerCall.closeWith(call, last));
    if (!closedLater) {
      ServerCall.closeWith(call, thrown);
    }
    throw HandlerExceptions.<RuntimeException>unchecked(thrown);
  }

  // The cast is erased, so checked exceptions pass.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
