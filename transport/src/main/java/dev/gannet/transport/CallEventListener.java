package dev.gannet.transport;

/**
 * Receives the events of one call from a transport. Never blocks; called by one thread at a time.
 */
public interface CallEventListener {
  /** Adds an event. It need not be processed before {@link #flush}. */
  void add(CallEvent event);

  /** There are no more events for now: waiting threads may be woken. */
  void flush();

  /**
   * Whether the application has requested a message that it did not get yet. When it requests one,
   * its stream is notified by {@code requested()}. Always true if there is a single message, except
   * while a server holds its call.
   */
  boolean isMessageRequested();

  /** Whether the call has tracers, which are notified of sent headers and messages. */
  default boolean isTraced() {
    return false;
  }
}
