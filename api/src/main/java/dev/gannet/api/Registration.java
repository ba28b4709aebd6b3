package dev.gannet.api;

/**
 * A registered listener or action, or an open watch; {@link #close} removes it. Safe for all
 * threads. For applications to implement; new methods will have a default.
 */
public interface Registration extends AutoCloseable {
  /**
   * Removes the listener or action, or ends the watch. A notification that is already running is
   * completed. Closing again has no effect.
   */
  @Override
  void close();
}
