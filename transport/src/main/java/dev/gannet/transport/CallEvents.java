package dev.gannet.transport;

/**
 * Where a transport puts what happens to one call. Never blocks; called by one thread at a time.
 */
public interface CallEvents {
  /** Takes an event. Nobody needs to look at it before {@link #flush}. */
  void add(CallEvent event);

  /** No more events for now: whoever waits for them may be woken. */
  void flush();
}
