package dev.gannet.transport;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of one call from a transport. Never blocks; called by one thread at a time.
 */
public interface CallEventListener {
  /** Instead of a size, if no message is sent. */
  int NO_MESSAGE = -1;

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

  /** Whether the call has tracers, which are notified of sent headers and messages. */
  default boolean isTraced() {
    return false;
  }

  /**
   * The handler of a traced call has sent this, which goes to the client next. On the thread that
   * adds the events.
   *
   * @param headers null if there are none
   * @param wireBytes the message's size on the wire, or {@link #NO_MESSAGE}
   * @param messageBytes its size before compression
   */
  default void onResponseSent(@Nullable Metadata headers, int wireBytes, int messageBytes) {}

  /**
   * A traced call of a server ends like this for its client, unless something else ends it first.
   * Any thread; before the end is added.
   */
  default void onEndGiven(Status status, Metadata trailers) {}

  /** The context for handlers, on a server; null on a client. */
  default @Nullable CallContext context() {
    return null;
  }
}
