package dev.gannet.transport;

import java.nio.ByteBuffer;

/**
 * Where a transport puts what happens to one call. Never blocks; called by one thread at a time.
 */
public interface CallEvents {
  /** Takes an event. Nobody needs to look at it before {@link #flush}. */
  void add(CallEvent event);

  /** No more events for now: whoever waits for them may be woken. */
  void flush();

  /**
   * Whether the application has asked for a message that it did not get yet. Once it has, its
   * stream is told by {@code requested()}. Always so where a single message is to come.
   */
  boolean isMessageRequested();

  /**
   * A message goes to the wire: that frame, which nothing has been written of. For tracers; does
   * nothing for calls that have none.
   */
  default void onMessageSent(ByteBuffer frame) {}
}
