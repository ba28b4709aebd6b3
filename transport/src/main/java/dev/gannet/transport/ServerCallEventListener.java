package dev.gannet.transport;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of one call of a server from a transport. {@link ServerStream} has all steps
 * of a call in their order.
 */
public interface ServerCallEventListener extends CallEventListener {
  /** Instead of a size, if no message is sent. */
  int NO_MESSAGE = -1;

  /** The context for handlers; null if the engine has none. Always the same object. */
  @Nullable CallContext context();

  /**
   * The call has begun, and its context is complete. Every transport calls this once for each call,
   * on the connection's thread, before it adds an event ({@link CallAdmission#of}). If the call is
   * refused, the transport answers the client at once, and adds nothing but the end of the call,
   * with the status of the refusal.
   */
  CallAdmission onBegun();

  /**
   * Adds the end of an answered call: like {@link #add} with a successful end, but without an
   * object if nobody listens to it.
   */
  default void addAnswered() {
    add(CallEvent.Closed.atOnce(Status.OK));
  }

  /**
   * The handler of a {@linkplain #isTraced traced} call has sent this, which goes to the client
   * next. On the thread that adds the events.
   *
   * @param headers null if there are none
   * @param wireBytes the message's size on the wire, or {@link #NO_MESSAGE}
   * @param messageBytes its size before compression
   */
  default void onResponseSent(@Nullable Metadata headers, int wireBytes, int messageBytes) {}

  /**
   * A {@linkplain #isTraced traced} call ends like this for its client, unless something else ends
   * it first. Any thread; before the end is added.
   *
   * @param trailers read by tracers later, so not the object that the client gets and may change
   */
  default void onEndGiven(Status status, Metadata trailers) {}
}
