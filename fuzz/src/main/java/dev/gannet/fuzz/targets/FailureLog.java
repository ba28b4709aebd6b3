package dev.gannet.fuzz.targets;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Captures the log of the engines: nothing is printed, but a logged exception counts as a thrown
 * one.
 */
final class FailureLog extends Handler {
  private static final FailureLog LOG = new FailureLog();

  /** A strong reference: otherwise the logger would be collected, and would print again. */
  private static final Logger LOGGER = Logger.getLogger("dev.gannet");

  static {
    LOGGER.setUseParentHandlers(false);
    LOGGER.setLevel(Level.ALL);
    LOGGER.addHandler(LOG);
  }

  private @Nullable Throwable thrown;

  private FailureLog() {}

  /** Discards earlier records. */
  static void clear() {
    LOG.thrown = null;
  }

  /** Throws the finding if an exception was logged since then. */
  static void check() {
    Throwable first = LOG.thrown;
    if (first != null) {
      throw new Finding("an exception was caught and logged: " + first, first);
    }
  }

  @Override
  public void publish(LogRecord record) {
    if (thrown == null) {
      thrown = record.getThrown();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
