package dev.gannet.benchmarks;

/** A measurement that has no result; the message says what happened. */
final class RunFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RunFailedException(String message) {
    super(message);
  }

  RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
