package dev.gannet.transport;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import java.util.Optional;

/**
 * Where a transport puts what happens to one call. Never blocks; called by one thread at a time.
 */
public interface CallEventListener {
  /** Takes an event. Nobody needs to look at it before {@link #flush}. */
  void add(CallEvent event);

  /**
   * Takes the end of a server's call that was answered: as {@link #add} of an end at once that is
   * OK, but no object is made where nobody hears of it.
   */
  default void addAnswered() {
    add(CallEvent.Closed.atOnce(Status.OK));
  }

  /** No more events for now: whoever waits for them may be woken. */
  void flush();

  /**
   * Whether the application has asked for a message that it did not get yet. Once it has, its
   * stream is told by {@code requested()}. Always so where a single message is to come.
   */
  boolean isMessageRequested();

  /** The call as handlers see it, on a server; empty on a client. */
  default Optional<CallContext> context() {
    return Optional.empty();
  }
}
