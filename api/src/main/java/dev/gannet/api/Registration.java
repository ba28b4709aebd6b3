package dev.gannet.api;

/**
 * What was registered, such as a listener or an action, or is kept open, until it is closed. Safe
 * for all threads. Only implemented by Gannet; methods may be added.
 */
public interface Registration extends AutoCloseable {
  /**
   * Removes it: nothing more is notified, except for what is running already. May be called again.
   */
  @Override
  void close();
}
