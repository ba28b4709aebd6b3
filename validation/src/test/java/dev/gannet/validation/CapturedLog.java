package dev.gannet.validation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class has logged, kept from the console. */
final class CapturedLog extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  private CapturedLog(Logger logger) {
    this.logger = logger;
  }

  static CapturedLog of(Class<?> type) {
    CapturedLog log = new CapturedLog(Logger.getLogger(type.getName()));
    log.logger.setUseParentHandlers(false);
    log.logger.addHandler(log);
    return log;
  }

  /** Messages of warnings and what is worse, with their exceptions. */
  List<String> warnings() {
    return warnings;
  }

  @Override
  public void publish(LogRecord line) {
    if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
      StringWriter text = new StringWriter();
      text.append(line.getMessage()).append('\n');
      if (line.getThrown() != null) {
        line.getThrown().printStackTrace(new PrintWriter(text));
      }
      warnings.add(text.toString());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
