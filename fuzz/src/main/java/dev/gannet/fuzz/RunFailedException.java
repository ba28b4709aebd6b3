package dev.gannet.fuzz;

/** The fuzzer failed; the message says why. */
final class RunFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RunFailedException(String message) {
    super(message);
  }
}
