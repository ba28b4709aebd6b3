package dev.gannet.server;

import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** A log that cannot be written. */
final class BrokenLog extends Handler {
  @Override
  public void publish(LogRecord line) {
    throw new IllegalStateException("the disk is full");
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
