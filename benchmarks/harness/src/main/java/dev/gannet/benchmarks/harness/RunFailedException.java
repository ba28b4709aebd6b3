package dev.gannet.benchmarks.harness;

/** A measurement that has no result; the message says what happened. */
public final class RunFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RunFailedException(String message) {
    super(message);
  }

  public RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
