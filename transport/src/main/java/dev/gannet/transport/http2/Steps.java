package dev.gannet.transport.http2;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that must all be taken, for nobody else would take those behind one that fails. */
final class Steps {
  private Steps() {}

  /**
   * Takes each of them, in order.
   *
   * @throws RuntimeException with what the first threw that failed
   * @throws Error if that was an error: where memory was short, the steps may be taken again
   */
  static void takeAll(List<Runnable> steps) {
    @Nullable Throwable failure = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (Throwable e) {
        failure = failure == null ? e : failure;
      }
    }
    throwAgain(failure);
  }

  /** Throws what has failed at the end of a connection, if anything has. */
  static void throwAgain(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new IllegalStateException("the end of a connection", failure);
    }
  }
}
