package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;

/** Lets exceptions of handlers pass through methods that declare no checked exceptions. */
final class HandlerExceptions {
  private HandlerExceptions() {}

  /**
   * Throws the exception of a handler, also a checked one, so that the engine sees it unchanged.
   * The call is closed first, so that interceptors see the status in {@link ServerCall#close}.
   *
   * @return never; only for the compiler
   */
  static RuntimeException rethrow(ServerCall<?, ?> call, Exception thrown) {
    ServerCall.closeWith(call, thrown);
    throw HandlerExceptions.<RuntimeException>unchecked(thrown);
  }

  // The cast is erased, so checked exceptions pass.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception thrown) throws E {
    throw (E) thrown;
  }
}
