package dev.gannet.benchmarks.harness;

/** The command line is invalid; the message says why. */
public final class WrongUsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WrongUsageException(String message) {
    super(message);
  }
}
