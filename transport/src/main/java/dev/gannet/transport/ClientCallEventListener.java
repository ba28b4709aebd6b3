package dev.gannet.transport;

import dev.gannet.api.Status;
import java.util.Optional;

/** Where a transport puts what happens to one attempt of a client's call. */
public interface ClientCallEventListener extends CallEventListener {
  /**
   * The server has not processed the call and will not on this stream. If there is another attempt,
   * this stream reports nothing more, and sends there whatever it was and will be told to send.
   *
   * @param why how the call ends if there is no other attempt
   */
  Optional<RetryTarget> onNotProcessed(NotProcessed how, Status why);

  /** Whether the attempt has tracers, which are told what is sent. */
  default boolean isTraced() {
    return false;
  }

  /** A message of an attempt that is traced goes to the wire; both sizes without what frames it. */
  default void onMessageSent(int wireBytes, int messageBytes) {}

  /** The headers of an attempt that is traced go to the wire of that connection. */
  default void onHeadersSent(ConnectionInfo connection) {}
}
