package dev.gannet.fuzz;

/** The fuzzer did not do its work; the message says what happened. */
final class RunFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RunFailedException(String message) {
    super(message);
  }
}
