package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import java.util.function.BooleanSupplier;

/** Blocking inside a handler, with an interrupt told as a cancelled call. */
final class Waiting {
  private Waiting() {}

  static void until(ServerCall<?, ?> call, BooleanSupplier condition) {
    try {
      call.awaitEvent(condition);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED
          .withDescription("the handler was interrupted")
          .withCause(e)
          .asException();
    }
  }
}
