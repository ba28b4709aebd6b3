package dev.gannet.transport.http2;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the steps of a cleanup: all of them, even if one of them fails. */
final class CleanupSteps {
  private CleanupSteps() {}

  /**
   * Runs all steps in order.
   *
   * @throws RuntimeException the exception of the first step that failed
   * @throws Error if that was an error: if memory was short, the steps may be run again
   */
  static void runAll(List<Runnable> steps) {
    @Nullable Throwable failure = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (Throwable e) {
        failure = failure == null ? e : failure;
      }
    }
    rethrow(failure);
  }

  /** Throws what has failed at the end of a connection, if anything has. */
  static void rethrow(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new IllegalStateException("closing a connection failed", failure);
    }
  }
}
