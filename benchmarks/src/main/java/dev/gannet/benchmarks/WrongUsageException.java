package dev.gannet.benchmarks;

/** The command line asks for something that cannot be; the message says what. */
final class WrongUsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongUsageException(String message) {
    super(message);
  }
}
