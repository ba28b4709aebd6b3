package dev.gannet.benchmarks.harness;

/** The command line asks for something that cannot be; the message says what. */
public final class WrongUsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WrongUsageException(String message) {
    super(message);
  }
}
