package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;

/** Lets exceptions of handlers pass through methods that declare no checked exceptions. */
final class HandlerFailure {
  private HandlerFailure() {}

  /**
   * Throws the exception of a handler, also a checked one, so that the engine sees it unchanged.
   * The call is closed first, so that interceptors see the status in {@link ServerCall#close}.
   *
   * @return never; only for the compiler
   */
  static RuntimeException rethrown(ServerCall<?, ?> call, Exception thrown) {
    ServerCall.closeWith(call, thrown);
    throw HandlerFailure.<RuntimeException>unchecked(thrown);
  }

  // The cast is erased, so checked exceptions pass.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception thrown) throws E {
    throw (E) thrown;
  }
}
