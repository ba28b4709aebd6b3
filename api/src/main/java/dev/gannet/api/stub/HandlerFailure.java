package dev.gannet.api.stub;

/** Lets what a handler throws pass through contracts that declare no checked exceptions. */
final class HandlerFailure {
  private HandlerFailure() {}

  /** A handler's work. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Runs the work; a checked exception comes out as it is, so that the engine sees what the handler
   * threw.
   */
  static void rethrowing(Work work) {
    try {
      work.run();
    } catch (Exception e) {
      throw HandlerFailure.<RuntimeException>unchecked(e);
    }
  }

  // The cast is erased: that is the point.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception thrown) throws E {
    throw (E) thrown;
  }
}
