package dev.gannet.transport.netty;

import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** A log that puts everything into words, as those on a console do, and shows nobody. */
final class SilentLog implements AutoCloseable {
  private final Logger root = Logger.getLogger("");
  private final List<Handler> loud = List.copyOf(Arrays.asList(root.getHandlers()));
  private final Handler silent = new Silent();

  SilentLog() {
    loud.forEach(root::removeHandler);
    root.addHandler(silent);
  }

  @Override
  public void close() {
    root.removeHandler(silent);
    loud.forEach(root::addHandler);
  }

  private static final class Silent extends Handler {
    private final SimpleFormatter words = new SimpleFormatter();

    @Override
    public void publish(LogRecord record) {
      words.format(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
