package dev.gannet.transport.netty;

import java.io.PrintStream;
import java.io.PrintWriter;

/** An error that cannot be logged: converting it to a text throws it again. */
final class Unspeakable extends OutOfMemoryError {
  private static final long serialVersionUID = 1;

  @Override
  public String getMessage() {
    throw this;
  }

  @Override
  public String toString() {
    throw this;
  }

  @Override
  public void printStackTrace(PrintStream stream) {
    throw this;
  }

  @Override
  public void printStackTrace(PrintWriter writer) {
    throw this;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
