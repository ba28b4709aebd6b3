package dev.gannet.client.resolver;

/** A scheduled action. Safe for all threads. */
@FunctionalInterface
public interface Timer {
  /** Cancels the action, unless it is running. May be called again. */
  void cancel();
}
