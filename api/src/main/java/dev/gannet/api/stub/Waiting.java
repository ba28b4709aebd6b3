package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Blocking inside a handler; an interrupt is reported as a cancelled call. */
final class Waiting {
  private Waiting() {}

  static void until(ServerCall<?, ?> call, BooleanSupplier condition) {
    try {
      call.awaitEvent(condition);
    } catch (InterruptedException e) {
      throw interrupted(call, e);
    }
  }

  /** As {@link #until(ServerCall, BooleanSupplier)}, but for no longer than that. */
  static void until(ServerCall<?, ?> call, BooleanSupplier condition, Duration timeout) {
    try {
      call.awaitEvent(condition, timeout);
    } catch (InterruptedException e) {
      throw interrupted(call, e);
    }
  }

  private static StatusException interrupted(ServerCall<?, ?> call, InterruptedException e) {
    Thread.currentThread().interrupt();
    return ended(call, "the handler was interrupted").withCause(e).asException();
  }

  /** Why the call was cancelled; if it was not, {@code CANCELLED} with that text. */
  static Status ended(ServerCall<?, ?> call, String otherwise) {
    return call.context()
        .cancellation()
        .orElseGet(() -> Status.CANCELLED.withDescription(otherwise));
  }

  /** The time in nanoseconds: not negative, and 292 years if it is longer. */
  static long nanos(Duration timeout) {
    return Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
  }

  static TimeoutException timeout(String what, Duration timeout) {
    return new TimeoutException(
        "no " + what + " within " + TimeUnit.MILLISECONDS.convert(timeout) + " ms");
  }
}
