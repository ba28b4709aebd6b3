package dev.gannet.cli;

/** The command line asks for something impossible; the message says what. */
final class WrongUsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongUsageException(String message) {
    super(message);
  }
}
