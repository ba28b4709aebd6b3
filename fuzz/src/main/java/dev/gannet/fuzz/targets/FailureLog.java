package dev.gannet.fuzz.targets;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Listens to what the engines log: nothing is printed, but an exception that was caught and logged
 * counts as one that was thrown.
 */
final class FailureLog extends Handler {
  private static final FailureLog LOG = new FailureLog();

  /** Held here: the log manager would forget it, and print again. */
  private static final Logger LOGGER = Logger.getLogger("dev.gannet");

  static {
    LOGGER.setUseParentHandlers(false);
    LOGGER.setLevel(Level.ALL);
    LOGGER.addHandler(LOG);
  }

  private @Nullable Throwable thrown;

  private FailureLog() {}

  /** Forgets what was before. */
  static void clear() {
    LOG.thrown = null;
  }

  /** Throws the finding if anything was logged with an exception since. */
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
