package dev.gannet.api.engine;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What futures and stages make of an exception, and who waits for them gets. */
public final class FailedStage {
  private FailedStage() {}

  /**
   * The exception with which the first stage has failed. Stages that depend on it, {@code join} and
   * {@code get} wrap it.
   */
  public static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException || cause instanceof ExecutionException) {
      Throwable wrapped = cause.getCause();
      if (wrapped == null) {
        return cause;
      }
      cause = wrapped;
    }
    return cause;
  }
}
