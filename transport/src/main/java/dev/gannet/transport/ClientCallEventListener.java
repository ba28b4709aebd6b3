package dev.gannet.transport;

import dev.gannet.api.Status;
import java.util.Optional;

/** Receives the events of one attempt of a client's call from a transport. */
public interface ClientCallEventListener extends CallEventListener {
  /**
   * The server has not processed the call and will not do so on this stream. If there is another
   * attempt, this stream reports nothing more, and forwards all its commands, earlier and later
   * ones, to the new one.
   *
   * @param why how the call ends if there is no other attempt
   */
  Optional<RetryTarget> onNotProcessed(NotProcessed how, Status why);

  /**
   * Adds a whole response that is not sent over a network: empty headers, this message, and the end
   * with OK and without trailers. By default these are three events.
   */
  default void addWholeResponse(CallEvent.Handed message) {
    add(new CallEvent.Headers(null));
    add(message);
    add(CallEvent.Closed.bare(Status.OK));
  }

  /** The call has waited since then for a stream of its connection, and does not any more. */
  default void onWaitedForStream(long sinceNanos) {}

  /** A message of a traced attempt is written to the wire; both sizes are without framing. */
  default void onMessageSent(int wireBytes, int messageBytes) {}

  /**
   * The headers of a traced attempt are written to the wire of this connection.
   *
   * @param authority the {@code :authority} among them
   */
  default void onHeadersSent(ConnectionInfo connection, String authority) {}
}
