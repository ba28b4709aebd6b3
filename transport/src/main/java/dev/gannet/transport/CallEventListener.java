package dev.gannet.transport;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of one call from a transport. Never blocks; called by one thread at a time.
 */
public interface CallEventListener {
  /**
   * The call has begun on a server, and its context is complete. Every transport calls this once
   * for each call of its servers, on the connection's thread, before it adds an event ({@link
   * CallAdmission#of}). If the call is refused, the transport answers the client at once, and adds
   * nothing but the end of the call, with the status of the refusal.
   */
  default CallAdmission onBegun() {
    return CallAdmission.ADMITTED;
  }

  /** Adds an event. It need not be processed before {@link #flush}. */
  void add(CallEvent event);

  /**
   * Adds the end of an answered call of a server: like {@link #add} with a successful end, but
   * without an object if nobody listens to it.
   */
  default void addAnswered() {
    add(CallEvent.Closed.atOnce(Status.OK));
  }

  /** There are no more events for now: waiting threads may be woken. */
  void flush();

  /**
   * Whether the application has requested a message that it did not get yet. When it requests one,
   * its stream is notified by {@code requested()}. Always true if there is a single message.
   */
  boolean isMessageRequested();

  /** The context for handlers, on a server; null on a client. */
  default @Nullable CallContext context() {
    return null;
  }
}
