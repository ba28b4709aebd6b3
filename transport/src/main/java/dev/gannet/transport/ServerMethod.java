package dev.gannet.transport;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.transport.settings.CallBounds;
import java.util.Optional;

/**
 * A method that a server serves, as its transports see it. Immutable, and safe for all threads.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ServerMethod<Q, R> {
  MethodDescriptor<Q, R> descriptor();

  /** The {@link #descriptor} as an {@code Optional}. Always the same object. */
  default Optional<MethodDescriptor<?, ?>> described() {
    return Optional.of(descriptor());
  }

  /** What its calls may send, and how long they may last. Always the same. */
  default CallBounds limits() {
    return CallBounds.DEFAULT;
  }

  /**
   * The memory of a handler's thread, with its stack, while the handler waits for its peer, in
   * bytes; 0 for handlers that do not wait, or that run on other threads than the server's virtual
   * threads.
   */
  default int handlerBytes() {
    return 0;
  }

  /**
   * Accepts a call of this method, and returns the listener for its events. Called once for each
   * call, by {@link dev.gannet.transport.tracing.ServerTracers#begin}, on the connection's thread,
   * so it must not block. Next, before it adds an event, the transport asks whether the call is
   * admitted ({@link CallAdmission#of}); {@link ServerStream} has all steps in their order.
   *
   * <p>The transport delivers the events at once, because streaming handlers start when the headers
   * arrive. If the client sends a single message, the transport rejects a second one with {@link
   * CallStatuses#SECOND_REQUEST}.
   */
  ServerCallEventListener begin(ServerStream<R> stream);
}
